import type { AttributeStore } from "#attributes/store.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Clock } from "#core/time/clock.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { ContactStore } from "#contacts/store.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { ListStore } from "#lists/store.ts";
import { fittingRows } from "#scheduler/fitting-rows.ts";
import { collectInRounds, type Collector } from "#scheduler/garbage.ts";
import { oneAfterAnother } from "#core/time/event-loop.ts";
import type { SegmentService } from "#segments/service.ts";
import type { Selection } from "#selections/selection.ts";
import type { SuppressionStore } from "#suppression/store.ts";
import { csvLines, type ExportedContact } from "./contact-lines.ts";

/** Whose contacts are exported. Null: of all. */
type Wanted = {
  readonly listId: string | null;
  readonly segmentId: string | null;
  readonly filter: ContactFilter;
};

/** Also contacts that were chosen by hand or by rules. */
type Whose = (Wanted | Selection) & {
  /** Whether to tell who is suppressed, and why. */
  readonly tellsSuppressed: boolean;
};

type Piece = readonly Contact[];
type PieceWithReasons = readonly ExportedContact[];

/** For contacts that were chosen by hand or by rules: there are no other filters then. */
const NO_FILTER: ContactFilter = { status: null, tag: null, q: null };
const IDS_A_PIECE = 100;
/** An export of all contacts must not need more memory than one of few. */
const CONTACTS_A_ROUND = 1_000;

/** How long a piece may take, so that nobody else waits long for it. */
const PIECE = { sliceMs: 5, first: 50, min: 10, max: 500 } as const;

export type ExportService = ReturnType<typeof exportService>;

type Parts = {
  readonly contacts: Pick<ContactStore, "page" | "find">;
  readonly lists: Pick<ListStore, "contacts" | "find">;
  readonly segments: Pick<SegmentService, "check" | "find" | "members">;
  readonly attributes: Pick<AttributeStore, "list">;
  readonly suppressions: Pick<SuppressionStore, "reasonsOf">;
  readonly clock: Clock;
  readonly collector: Collector;
};

export function exportService(parts: Parts) {
  const { attributes, segments, clock, collector } = parts;
  /** Several exports take turns, piece by piece. */
  const inTurn = oneAfterAnother();
  const collectGarbage = collectInRounds(collector, CONTACTS_A_ROUND);

  /**
   * The contacts in pieces, newest first. Other work runs between two pieces. Each piece is read by its own query:
   * no transaction stays open, however slowly the client reads. Contacts that are added meanwhile are left out. A
   * list or segment that does not exist has no contacts.
   * @param make what to make of a piece; called when it is read, before other work of exports
   */
  async function* pieces<T>(
    workspaceId: string,
    wanted: Whose,
    make: (piece: PieceWithReasons) => T,
  ): AsyncGenerator<T> {
    const withReasonsFor = (piece: Piece) => withReasons(parts, workspaceId, wanted, piece);
    if ("kind" in wanted || wanted.segmentId !== null) {
      const members = await settledPieces(parts, workspaceId, wanted);
      if (members === null) return;
      for await (const piece of members) {
        yield await inTurn(async () => make(await withReasonsFor(piece)));
        collectGarbage(piece.length);
      }
      return;
    }
    const fitting = fittingRows(clock, PIECE);
    for (let before: number | null = null; ;) {
      const request: PageRequest = { limit: fitting.rows, before };
      const piece = await inTurn(async () => {
        const startedMs = clock.monotonicMs();
        const page = await pageOf(parts, workspaceId, wanted, request);
        if (page === null) return null;
        const made = make(await withReasonsFor(page.items));
        fitting.learn(startedMs);
        return { made, next: page.nextPosition, contacts: page.items.length };
      });
      if (piece === null) return;
      yield piece.made;
      collectGarbage(piece.contacts);
      if (piece.next === null) return;
      before = piece.next;
    }
  }

  return {
    pieces,

    /** @throws AppError NOT_FOUND for rules that name what the workspace does not have */
    async check(workspaceId: string, selection: Selection): Promise<void> {
      if (selection.kind === "rules") await segments.check(workspaceId, selection.sent);
    },

    /** The text of a CSV file, in pieces. `onPiece` gets how many contacts one has. */
    async *csv(
      workspaceId: string,
      wanted: Whose,
      onPiece: (contacts: number) => void = () => undefined,
    ): AsyncGenerator<string> {
      const names = (await attributes.list(workspaceId)).map(({ name }) => name);
      const { header, line } = csvLines(names, wanted.tellsSuppressed);
      yield header;
      yield* pieces(workspaceId, wanted, (piece) => {
        onPiece(piece.length);
        return piece.map(line).join("");
      });
    },
  };
}

/** The reasons of a whole piece are one query. */
async function withReasons(
  { suppressions }: Pick<Parts, "suppressions">,
  workspaceId: string,
  { tellsSuppressed }: Whose,
  piece: Piece,
): Promise<PieceWithReasons> {
  if (!tellsSuppressed || piece.length === 0) return piece;
  const addresses = piece.map(({ email }) => email);
  const reasons = await suppressions.reasonsOf(workspaceId, addresses);
  return piece.map((contact) => {
    const suppressed = reasons.get(contact.email);
    return suppressed === undefined ? contact : { ...contact, suppressed };
  });
}

/**
 * Contacts that were fixed at the start: the members of a segment, or those who were chosen. Null: there is no such
 * segment or list.
 */
async function settledPieces(
  { contacts, lists, segments }: Pick<Parts, "contacts" | "lists" | "segments">,
  workspaceId: string,
  whose: Whose,
): Promise<AsyncIterable<Piece> | null> {
  if (!("kind" in whose)) return membersOf({ lists, segments }, workspaceId, whose.segmentId ?? "", whose);
  return whose.kind === "rules"
    ? segments.members(workspaceId, whose.sent, NO_FILTER)
    : byIds(contacts, workspaceId, whose.contactIds);
}

async function* byIds(
  contacts: Parts["contacts"],
  workspaceId: string,
  ids: readonly string[],
): AsyncGenerator<Piece> {
  for (let from = 0; from < ids.length; from += IDS_A_PIECE) {
    const some = ids.slice(from, from + IDS_A_PIECE);
    const found = await Promise.all(some.map((id) => contacts.find(workspaceId, id)));
    yield found.filter((contact) => contact !== null);
  }
}

/** Null: there is no such segment, or no such list. */
async function membersOf(
  { lists, segments }: Pick<Parts, "lists" | "segments">,
  workspaceId: string,
  id: string,
  { listId, filter }: Wanted,
): Promise<AsyncIterable<Piece> | null> {
  const segment = await segments.find(workspaceId, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  });
  if (segment === null) return null;
  if (listId === null) return segments.members(workspaceId, segment, filter);
  const list = await lists.find(workspaceId, listId);
  if (list === null) return null;
  // The segment is named by its id: its own rules, in one more group, could be more and deeper than rules may be.
  const isIn = { field: "segment", op: "equals", value: segment.id } as const;
  const onList = { field: "list", op: "equals", value: list.id } as const;
  return segments.members(workspaceId, { rules: { all: [isIn, onList] } }, filter);
}

/** The members of a list cannot be queried by tag, so those without the tag are left out here. */
async function pageOf(
  { contacts, lists }: Pick<Parts, "contacts" | "lists">,
  workspaceId: string,
  { listId, filter }: Wanted,
  request: PageRequest,
): Promise<Page<Contact> | null> {
  if (listId === null) return contacts.page(workspaceId, filter, request);
  const page = await lists.contacts(workspaceId, listId, filter, request);
  const { tag } = filter;
  if (page === null || tag === null) return page;
  return { ...page, items: page.items.filter(({ tags }) => tags.includes(tag)) };
}
