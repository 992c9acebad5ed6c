import type { List } from "#lists/list.ts";
import type { ListStore } from "#lists/store.ts";
import { OF_LIST } from "#storage/sqlite/contacts/contact-page-sql.ts";
import { contactPages } from "#storage/sqlite/contacts/contact-pages.ts";
import { listMembers } from "./list-members.ts";
import { listPages, LIST_COLUMNS, type ListRow } from "./list-pages.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { searchTextOf } from "#storage/sqlite/search/search-text.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

export function listStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ListStore {
  const { sqlite, writes } = database;
  const byId = sqlite.query<ListRow, [number, string]>(
    `SELECT ${LIST_COLUMNS} FROM lists WHERE workspace = ? AND id = ?`,
  );
  const insert = sqlite.query<null, (number | string)[]>(
    "INSERT INTO lists (id, workspace, name, search, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const rename = sqlite.query<null, [string, string, number]>(
    "UPDATE lists SET name = ?, search = ? WHERE seq = ?",
  );
  // Only what is merely scheduled: where a mailing exists, the plan is made and goes on without the list.
  const unschedule = sqlite.query<null, [number]>(
    `UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL, next_try_at = NULL, blocked = NULL, held = 0
     WHERE list = ? AND status = 'SCHEDULED' AND mailing IS NULL`,
  );
  // Before its members: else each of them would be taken out of them by itself.
  const removeSearches = sqlite.query<null, [number]>(
    "DELETE FROM search_counts WHERE list = ? AND list > 0",
  );
  const removeMembers = sqlite.query<null, [number]>("DELETE FROM list_members WHERE list = ?");
  const removeCounts = sqlite.query<null, [number]>("DELETE FROM list_counts WHERE list = ?");
  const remove = sqlite.query<null, [number]>("DELETE FROM lists WHERE seq = ?");
  const pages = listPages(sqlite);
  const contactsOf = contactPages(database);
  const members = listMembers(sqlite);

  const rowOf = (workspaceId: string, id: string): ListRow | null => byId.get(seqOf(workspaceId), id);
  const listOf = ({ id, name, createdAt, contactCount }: ListRow, workspaceId: string): List => ({
    id,
    workspaceId,
    name,
    createdAt,
    contactCount,
  });

  return {
    insert: (workspaceId, { id, name, createdAt }) =>
      writes.write(() => {
        insert.run(id, seqOf(workspaceId), name, searchTextOf(name), createdAt);
        return { id, workspaceId, name, createdAt, contactCount: 0 };
      }),

    find: async (workspaceId, id) => {
      const row = rowOf(workspaceId, id);
      return row === null ? null : listOf(row, workspaceId);
    },

    page: async (workspaceId, q, request) =>
      pages.page(seqOf(workspaceId), q, request, (row) => listOf(row, workspaceId)),

    rename: (workspaceId, id, name) =>
      writes.write(() => {
        const row = rowOf(workspaceId, id);
        if (row === null) return null;
        rename.run(name, searchTextOf(name), row.seq);
        return { ...listOf(row, workspaceId), name };
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const row = rowOf(workspaceId, id);
        if (row === null) return false;
        for (const step of [unschedule, removeSearches, removeMembers, removeCounts, remove])
          step.run(row.seq);
        return true;
      }),

    contacts: async (workspaceId, id, filter, request) => {
      const row = rowOf(workspaceId, id);
      if (row === null) return null;
      const keys = { workspace: seqOf(workspaceId), list: row.seq, tag: "" };
      return contactsOf.page(OF_LIST, keys, filter, request);
    },

    addContacts: (workspaceId, id, contactIds, check, at) =>
      writes.write(() => {
        const row = rowOf(workspaceId, id);
        return row === null ? null : members.add(seqOf(workspaceId), row.seq, contactIds, check, at);
      }),

    removeContact: (workspaceId, id, contactId) =>
      writes.write(() => {
        const row = rowOf(workspaceId, id);
        if (row === null) return "no list";
        return members.remove(seqOf(workspaceId), row.seq, contactId) ? "removed" : "no contact";
      }),
  };
}
