import type { Audience, AudienceTally } from "#campaigns/send/audience.ts";
import type { LeftOutReason } from "#campaigns/check/left-out.ts";
import type { PageRequest } from "#core/request/page.ts";
import type { ContactBits } from "./contact-bits.ts";
import type { Population } from "./population.ts";
import type { SegmentSets } from "./segment-sets.ts";

/** The audience of a campaign. `tally` only counts it; then `excludeEmails` are left out too. */
export type AudienceAsk = { readonly kind: "audience"; readonly audience: Audience } & (
  | { readonly wants: "words" }
  | { readonly wants: "left out"; readonly reason: LeftOutReason | null; readonly request: PageRequest }
  | {
      readonly wants: "tally";
      readonly excludeEmails: readonly string[];
      /** Groups of domains; the recipients of each group are counted together. */
      readonly domains: readonly (readonly string[])[];
    }
);

type Words = Uint32Array<ArrayBuffer>;

/** `excluded`: those of `asked` who get nothing. */
export type AudienceFound = {
  readonly words: { readonly asked: Words; readonly excluded: Words } | null;
  readonly tally: AudienceTally | null;
};

/** Those of `among` who are on the list, if there is one, and in the segment, if there is one. */
const chosenOf = (sets: SegmentSets, { listId, segmentId }: Audience, among: ContactBits): ContactBits =>
  [
    ...(listId === null ? [] : [sets.onList(listId)]),
    ...(segmentId === null ? [] : [sets.inSegment(segmentId)]),
  ].reduce((all, some) => all.and(some), among);

function reachOf(sets: SegmentSets, population: Population, audience: Audience) {
  const { excludeListIds, excludeSegmentIds } = audience;
  const asked = chosenOf(sets, audience, population.withStatus("SUBSCRIBED"));
  const excluded = asked.and(
    [
      ...excludeListIds.map((id) => sets.onList(id)),
      ...excludeSegmentIds.map((id) => sets.inSegment(id)),
    ].reduce((all, some) => all.or(some), population.nobody()),
  );
  return { asked, excluded };
}

/** Who is left out for a reason, found in the same way as `tallyOf` counts them. */
export function leftOutOf(
  sets: SegmentSets,
  population: Population,
  { audience, reason }: { readonly audience: Audience; readonly reason: LeftOutReason | null },
): ContactBits {
  if (reason === "NOT_SUBSCRIBED")
    return chosenOf(sets, audience, population.everybody.without(population.withStatus("SUBSCRIBED")));
  const { asked, excluded } = reachOf(sets, population, audience);
  if (reason === "EXCLUDED") return excluded;
  const suppressed = asked.without(excluded).and(sets.suppressed);
  if (reason === "SUPPRESSED") return suppressed;
  const blocked = asked.without(excluded).without(suppressed).and(sets.onBlockedDomain);
  return reason === null ? excluded.or(suppressed).or(blocked) : blocked;
}

export function answerAudience(
  sets: SegmentSets,
  population: Population,
  ask: Exclude<AudienceAsk, { wants: "left out" }>,
): AudienceFound {
  const { asked, excluded } = reachOf(sets, population, ask.audience);
  if (ask.wants === "words") return { words: { asked: asked.words, excluded: excluded.words }, tally: null };
  const named = excluded.or(sets.withAddress(ask.excludeEmails).and(asked));
  return { words: null, tally: tallyOf(sets, asked, named, ask.domains) };
}

/** The reasons in the order of a plan: a contact counts once, with the first reason that applies. */
function tallyOf(
  sets: SegmentSets,
  asked: ContactBits,
  excluded: ContactBits,
  domains: readonly (readonly string[])[],
): AudienceTally {
  const suppressed = asked.without(excluded).and(sets.suppressed);
  const left = asked.without(excluded).without(suppressed);
  const blocked = left.and(sets.onBlockedDomain);
  return {
    mailable: left.size - blocked.size,
    ofDomains: domains.length === 0 ? [] : sets.countByDomain(left.without(blocked), domains),
    skipped: { EXCLUDED: excluded.size, SUPPRESSED: suppressed.size, BLOCKED_DOMAIN: blocked.size },
  };
}
