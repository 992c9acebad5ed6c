import type { Contact } from "#contacts/contact.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { Clock } from "#core/time/clock.ts";
import { accept, AppError, invalid, notFound, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { quoted } from "#core/text/text.ts";
import { checkReferences, referencesOf } from "./references.ts";
import { storedRule } from "./rules-input.ts";
import type { Segment, SegmentCount } from "./segment.ts";
import { checkSize, type NewSegment, type SegmentChange, type SentRules } from "./segment-input.ts";
import { sentenceOf } from "./sentence.ts";
import type { SegmentMembersStore, SegmentStore, SegmentUser } from "./store.ts";

const SEGMENTS_MAX = 1_000;
const SAMPLE = 10;
const PIECE = 100;

export type SegmentService = ReturnType<typeof segmentService>;

type SegmentParts = {
  readonly segments: SegmentStore;
  readonly members: SegmentMembersStore;
  readonly clock: Clock;
  readonly newId: NewId;
};

/**
 * Every method that names a segment throws AppError NOT_FOUND if the workspace has no such segment. A method
 * that takes rules does the same for a list, segment or campaign that the rules name.
 */
export const segmentService = (parts: SegmentParts) => ({ ...records(parts), ...questions(parts) });

function records({ segments, clock, newId }: SegmentParts) {
  const find = async (workspaceId: string, id: string): Promise<Segment> =>
    (await segments.find(workspaceId, id)) ?? gone(id);

  return {
    find,

    page: (workspaceId: string, request: PageRequest): Promise<Page<Segment>> =>
      segments.page(workspaceId, request),

    /** Every segment, newest first, read in pieces. */
    async *all(workspaceId: string): AsyncGenerator<Segment> {
      for (let before: number | null = null; ;) {
        const page: Page<Segment> = await segments.page(workspaceId, { limit: PIECE, before });
        yield* page.items;
        if (page.nextPosition === null) return;
        before = page.nextPosition;
      }
    },

    async create(workspaceId: string, { name, rules, references }: NewSegment): Promise<Segment> {
      const segment = { id: newId("seg"), name, rules, createdAt: clock.now() };
      return unwrap(
        await segments.insert(workspaceId, segment, references, (found) =>
          found.segments >= SEGMENTS_MAX
            ? invalid(`A workspace has at most ${SEGMENTS_MAX} segments. Delete one first.`)
            : checkReferences(null, references, found),
        ),
      );
    },

    async change(workspaceId: string, id: string, { name, sent }: SegmentChange): Promise<Segment> {
      const changed = await segments.change(
        workspaceId,
        id,
        sent?.references ?? null,
        (current, found) => {
          const rules = sent?.rules ?? current.rules;
          const size = sent === undefined ? accept(null) : checkSize(rules, current.rules);
          if (!size.ok) return size;
          const checked = checkReferences(id, sent?.references ?? [], found);
          return checked.ok ? accept({ name: name ?? current.name, rules }) : checked;
        },
        clock.now(),
      );
      return changed === null ? gone(id) : unwrap(changed);
    },

    /** What uses it, so that it cannot be deleted. */
    uses: async (workspaceId: string, id: string): Promise<SegmentUser[]> =>
      (await segments.users(workspaceId, id)) ?? gone(id),

    /** @throws AppError CONFLICT naming what uses it */
    async delete(workspaceId: string, id: string): Promise<void> {
      const outcome = await segments.delete(workspaceId, id);
      if (outcome === null) gone(id);
      if (outcome !== "deleted")
        throw new AppError(
          "CONFLICT",
          `The ${outcome.kind} ${quoted(outcome.name)} uses this segment: change or delete that one first.`,
        );
    },
  };
}

/** The contacts that rules hold for. */
function questions({ segments, members, clock }: SegmentParts) {
  const check = async (workspaceId: string, references: SentRules["references"]): Promise<void> => {
    const missing = await segments.missing(workspaceId, references);
    unwrap(checkReferences(null, references, { missing, uses: new Map() }));
  };
  return {
    contacts: async (
      workspaceId: string,
      { rules }: Segment,
      filter: ContactFilter,
      request: PageRequest,
    ): Promise<Page<Contact>> => members.page(workspaceId, { rules, now: clock.now(), filter }, request),

    /**
     * Everybody in it who fits the filter, newest first, in pieces; who that is was settled when it began.
     */
    members: (
      workspaceId: string,
      { rules }: Pick<Segment, "rules">,
      filter: ContactFilter,
    ): AsyncIterable<readonly Contact[]> => members.walk(workspaceId, { rules, now: clock.now(), filter }),

    count: (workspaceId: string, { rules }: Segment): Promise<SegmentCount> =>
      members.count(workspaceId, rules, clock.now()),

    /** Refuses rules that name what the workspace does not have. */
    check: (workspaceId: string, { references }: SentRules): Promise<void> => check(workspaceId, references),

    /** A page of the contacts that rules hold for, without saving the rules. */
    async matching(
      workspaceId: string,
      { rules, references }: SentRules,
      filter: ContactFilter,
      request: PageRequest,
    ): Promise<Page<Contact>> {
      await check(workspaceId, references);
      return members.page(workspaceId, { rules, now: clock.now(), filter }, request);
    },

    /** How many would be in a segment with these rules, and the newest of them. */
    async preview(workspaceId: string, { rules, references }: SentRules) {
      await check(workspaceId, references);
      return members.preview(workspaceId, rules, clock.now(), SAMPLE);
    },

    /** Its rules as an English sentence. */
    async sentence(workspaceId: string, { rules }: Segment): Promise<string> {
      const rule = storedRule(rules);
      const names = await segments.names(workspaceId, referencesOf(rule));
      return sentenceOf(rule, (_kind, id) => names.get(id) ?? null);
    },
  };
}

function gone(id: string): never {
  throw notFound(`The segment ${id}`);
}
