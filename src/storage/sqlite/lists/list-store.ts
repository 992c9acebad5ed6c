import type { Database } from "bun:sqlite";
import type { List } from "#lists/list.ts";
import type { ListStore } from "#lists/store.ts";
import { OF_LIST } from "#storage/sqlite/contacts/contact-page-sql.ts";
import { contactPages } from "#storage/sqlite/contacts/contact-pages.ts";
import { listMembers, MEMBERS_A_SLICE } from "./list-members.ts";
import { listPages, LIST_COLUMNS, type ListRow } from "./list-pages.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { searchTextOf } from "#storage/sqlite/search/search-text.ts";
import { atOnce, untilNone } from "#storage/sqlite/engine/in-slices.ts";
import type { Slices } from "#storage/sqlite/engine/long-writes.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

export function listStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ListStore {
  const { sqlite, writes, longWrites } = database;
  const insert = sqlite.query<null, (number | string)[]>(
    "INSERT INTO lists (id, workspace, name, search, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const rename = sqlite.query<null, [string, string, number]>(
    "UPDATE lists SET name = ?, search = ? WHERE seq = ?",
  );
  const pages = listPages(sqlite);
  const contactsOf = contactPages(database);
  const members = listMembers(sqlite);

  const rowOf = (workspaceId: string, id: string): ListRow | null => rowIn(sqlite, seqOf(workspaceId), id);
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

    async delete(workspaceId, id) {
      const workspace = seqOf(workspaceId);
      const known = rowOf(workspaceId, id);
      if (known === null) return false;
      const slices: Slices<boolean> = (connection) => removal(connection, workspace, id);
      return known.contactCount <= MEMBERS_A_SLICE
        ? await writes.write(() => atOnce(slices, sqlite))
        : await longWrites.write(slices);
    },

    contacts: async (workspaceId, id, filter, request) => {
      const row = rowOf(workspaceId, id);
      if (row === null) return null;
      const keys = { workspace: seqOf(workspaceId), list: row.seq, tag: "" };
      return contactsOf.page(OF_LIST, keys, filter, request);
    },

    async addContacts(workspaceId, id, ids, check, at) {
      const workspace = seqOf(workspaceId);
      const slices: Slices<Awaited<ReturnType<ListStore["addContacts"]>>> = function* (connection) {
        const row = rowIn(connection, workspace, id);
        if (row === null) return null;
        return yield* listMembers(connection).add({ workspace, list: row.seq, ids, check, at });
      };
      return ids.length <= MEMBERS_A_SLICE
        ? await writes.write(() => atOnce(slices, sqlite))
        : await longWrites.write(slices);
    },

    removeContact: (workspaceId, id, contactId, at) =>
      writes.write(() => {
        const row = rowOf(workspaceId, id);
        if (row === null) return "no list";
        return members.remove(seqOf(workspaceId), row.seq, contactId, at) ? "removed" : "no contact";
      }),
  };
}

const rowIn = (sqlite: Database, workspace: number, id: string): ListRow | null =>
  sqlite
    .query<ListRow, [number, string]>(`SELECT ${LIST_COLUMNS} FROM lists WHERE workspace = ? AND id = ?`)
    .get(workspace, id);

// Only what is merely scheduled: where a mailing exists, the plan is made and goes on without the list.
const UNSCHEDULE = `UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL, next_try_at = NULL, blocked = NULL, held = 0
  WHERE list = ? AND status = 'SCHEDULED' AND mailing IS NULL`;
// Before its members: else each of them would be taken out of them by itself.
const REMOVE_SEARCHES = "DELETE FROM search_counts WHERE list = ? AND list > 0";
const REMOVE_MEMBERS = `DELETE FROM list_members WHERE (list, status, contact) IN
  (SELECT list, status, contact FROM list_members WHERE list = ? LIMIT ?)`;
const REMOVE_DEPARTURES =
  "DELETE FROM list_departures WHERE seq IN (SELECT seq FROM list_departures WHERE list = ? LIMIT ?)";
const REMOVE_COUNTS = "DELETE FROM list_counts WHERE list = ?";
const REMOVE = "DELETE FROM lists WHERE seq = ?";

/** Takes a list away with everything that holds on to it. False: there is none. */
function* removal(sqlite: Database, workspace: number, id: string): Generator<void, boolean, void> {
  const row = rowIn(sqlite, workspace, id);
  if (row === null) return false;
  for (const sql of [UNSCHEDULE, REMOVE_SEARCHES]) sqlite.query<null, [number]>(sql).run(row.seq);
  for (const sql of [REMOVE_MEMBERS, REMOVE_DEPARTURES]) yield* untilNone(sqlite, sql, row.seq);
  for (const sql of [REMOVE_COUNTS, REMOVE]) sqlite.query<null, [number]>(sql).run(row.seq);
  return true;
}
