import type { Audience, AudienceTally } from "#campaigns/audience.ts";
import type { ContactBits } from "./contact-bits.ts";
import type { Population } from "./population.ts";
import type { SegmentSets } from "./segment-sets.ts";

/** Whom a campaign is for. `tally` only counts them; `excludeEmails` are then left out too. */
export type AudienceAsk = { readonly kind: "audience"; readonly audience: Audience } & (
  | { readonly wants: "words" }
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

export function answerAudience(sets: SegmentSets, population: Population, ask: AudienceAsk): AudienceFound {
  const { listId, segmentId, excludeListIds, excludeSegmentIds } = ask.audience;
  const asked = [
    ...(listId === null ? [] : [sets.onList(listId)]),
    ...(segmentId === null ? [] : [sets.inSegment(segmentId)]),
  ].reduce((all, some) => all.and(some), population.withStatus("SUBSCRIBED"));
  const excluded = asked.and(
    [
      ...excludeListIds.map((id) => sets.onList(id)),
      ...excludeSegmentIds.map((id) => sets.inSegment(id)),
    ].reduce((all, some) => all.or(some), population.nobody()),
  );
  if (ask.wants === "words") return { words: { asked: asked.words, excluded: excluded.words }, tally: null };
  const named = excluded.or(sets.withAddress(ask.excludeEmails).and(asked));
  return { words: null, tally: tallyOf(sets, asked, named, ask.domains) };
}

/** The reasons in the order of a plan: a contact counts once, with the first reason that holds. */
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
