import type { AttributeStore } from "#attributes/store.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { ContactStore } from "#contacts/store.ts";
import { AppError } from "#core/errors.ts";
import type { Page, PageRequest } from "#core/page.ts";
import type { ListStore } from "#lists/store.ts";
import { yieldTurns } from "#scheduler/loop-turns.ts";
import type { SegmentService } from "#segments/service.ts";
import { csvLines } from "./contact-lines.ts";

/** Whose contacts are exported. Null: of all. */
type Wanted = {
  readonly listId: string | null;
  readonly segmentId: string | null;
  readonly filter: ContactFilter;
};

type Pieces = AsyncIterable<readonly Contact[]>;

const PAGE = 500;

export type ExportService = ReturnType<typeof exportService>;

export function exportService(parts: {
  contacts: Pick<ContactStore, "page">;
  lists: Pick<ListStore, "contacts">;
  segments: Pick<SegmentService, "find" | "members">;
  attributes: Pick<AttributeStore, "list">;
}) {
  const { contacts, lists, segments, attributes } = parts;

  const ofSegment = async (workspaceId: string, id: string, { listId, filter }: Wanted) => {
    const segment = await segments.find(workspaceId, id).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "NOT_FOUND") return null;
      throw error;
    });
    if (segment === null) return null;
    const onList = { field: "list", op: "equals", value: listId ?? "" } as const;
    const rules = listId === null ? segment.rules : { all: [segment.rules, onList] };
    return segments.members(workspaceId, { ...segment, rules }, filter);
  };

  /** The members of a list cannot be queried by tag, so those without the tag are left out here. */
  const pageOf = async (
    workspaceId: string,
    { listId, filter }: Wanted,
    request: PageRequest,
  ): Promise<Page<Contact> | null> => {
    if (listId === null) return contacts.page(workspaceId, filter, request);
    const page = await lists.contacts(workspaceId, listId, filter, request);
    const { tag } = filter;
    if (page === null || tag === null) return page;
    return { ...page, items: page.items.filter(({ tags }) => tags.includes(tag)) };
  };

  /**
   * In pieces, newest first, with a turn of the event loop between them. Each is read by itself: no transaction stays
   * open, however long the reader takes. Who is added meanwhile is not in it. A list or segment that is not there has nobody.
   */
  async function* pieces(workspaceId: string, wanted: Wanted): AsyncGenerator<readonly Contact[]> {
    if (wanted.segmentId !== null) {
      const members = await ofSegment(workspaceId, wanted.segmentId, wanted);
      if (members !== null) yield* members;
      return;
    }
    for (let before: number | null = null; ;) {
      const page: Page<Contact> | null = await pageOf(workspaceId, wanted, { limit: PAGE, before });
      if (page === null) return;
      yield page.items;
      if (page.nextPosition === null) return;
      before = page.nextPosition;
      await yieldTurns(1);
    }
  }

  return {
    pieces,

    /** Pieces of contacts as the text of a CSV file. */
    async *csv(workspaceId: string, some: Pieces): AsyncGenerator<string> {
      const { header, line } = csvLines((await attributes.list(workspaceId)).map(({ name }) => name));
      yield header;
      for await (const piece of some) yield piece.map(line).join("");
    },
  };
}
