import { atOnce } from "#core/time/event-loop.ts";
import { eq } from "drizzle-orm";
import type { ListStore } from "#lists/store.ts";
import { OF_LIST } from "#storage/sqlite/contacts/contact-page-sql.ts";
import { contactPages } from "#storage/sqlite/contacts/contact-pages.ts";
import { inATurnUnless } from "#storage/sqlite/engine/writes/in-slices.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { lists } from "#storage/sqlite/schema/tables/lists.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";
import { listMembers, MEMBERS_A_SLICE } from "./list-members.ts";
import { listReads } from "./list-reads.ts";
import { listOptions } from "./list-options.ts";
import { hasManyRows, listRemoval } from "./list-removal.ts";
import { listSeq } from "./list-seq.ts";

export function listStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ListStore {
  return { ...records(database, seqOf), ...listOptions(database, seqOf), ...members(database, seqOf) };
}

type Records = Pick<ListStore, "insert" | "find" | "page" | "change" | "delete">;

function records(database: SqliteDatabase, seqOf: WorkspaceSeq): Records {
  const { sqlite, orm, writes } = database;
  const reads = listReads(database);

  return {
    insert: (workspaceId, list) =>
      writes.write(() => {
        orm
          .insert(lists)
          .values({ ...list, workspace: seqOf(workspaceId), search: searchTextOf(list.name) })
          .run();
        return { ...list, workspaceId, contactCount: 0 };
      }),

    find: async (workspaceId, id) => {
      const found = reads.find(seqOf(workspaceId), id);
      return found === null ? null : { ...found.list, workspaceId };
    },

    page: async (workspaceId, q, request) => {
      const page = await reads.page(seqOf(workspaceId), q, request);
      return { ...page, items: page.items.map((list) => ({ ...list, workspaceId })) };
    },

    change: (workspaceId, id, decide) =>
      writes.write(() => {
        const found = reads.find(seqOf(workspaceId), id);
        if (found === null) return null;
        const content = decide(found.list);
        orm
          .update(lists)
          .set({ ...content, search: searchTextOf(content.name) })
          .where(eq(lists.seq, found.seq))
          .run();
        return { ...found.list, ...content, workspaceId };
      }),

    async delete(workspaceId, id) {
      const workspace = seqOf(workspaceId);
      const found = reads.find(workspace, id);
      if (found === null) return false;
      const slices: Slices<boolean> = (connection) => listRemoval(connection, workspace, id);
      return await inATurnUnless(database, () => hasManyRows(sqlite, found.seq), slices);
    },
  };
}

type Members = Pick<ListStore, "contacts" | "addContacts" | "hasLeft" | "removeContact">;

function members(database: SqliteDatabase, seqOf: WorkspaceSeq): Members {
  const { sqlite, writes, longWrites } = database;
  const contactsOf = contactPages(database);
  const { remove, hasLeft } = listMembers(sqlite);
  const seqOfList = listSeq(sqlite);

  return {
    contacts: async (workspaceId, id, filter, request) => {
      const workspace = seqOf(workspaceId);
      const list = seqOfList(workspace, id);
      return list === null ? null : contactsOf.page(OF_LIST, { workspace, list, tag: "" }, filter, request);
    },

    async addContacts(workspaceId, id, ids, check, at) {
      const workspace = seqOf(workspaceId);
      const slices: Slices<Awaited<ReturnType<ListStore["addContacts"]>>> = function* (connection) {
        const list = listSeq(connection)(workspace, id);
        if (list === null) return null;
        return yield* listMembers(connection).add({ workspace, list, ids, check, at });
      };
      return ids.length <= MEMBERS_A_SLICE
        ? await writes.write(() => atOnce(slices(sqlite)))
        : await longWrites.write(slices);
    },

    hasLeft: async (workspaceId, id, contactId) => hasLeft(seqOf(workspaceId), id, contactId),

    removeContact: (workspaceId, id, contactId, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const list = seqOfList(workspace, id);
        if (list === null) return "no list";
        return remove(workspace, list, contactId, at) ? "removed" : "no contact";
      }),
  };
}
