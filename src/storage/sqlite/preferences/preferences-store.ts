import type { Database } from "bun:sqlite";
import type { FoundReader } from "#preferences/choice.ts";
import type { PreferencesStore } from "#preferences/store.ts";
import { choosable } from "#storage/common/preferences/choosable-list.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { contactWrites } from "#storage/sqlite/contacts/contact-writes.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { queuedForList } from "#storage/sqlite/ledger/moves/queued-for-list.ts";
import { listDepartures } from "#storage/sqlite/lists/list-departures.ts";
import { listMembers } from "#storage/sqlite/lists/list-members.ts";
import type { OuterRow, Row } from "#storage/sqlite/schema/row.ts";
import type { listMembers as memberTable, lists } from "#storage/sqlite/schema/schema.ts";

type ListRow = Row<typeof lists, "seq" | "id" | "name" | "publicName" | "description"> &
  OuterRow<typeof memberTable, "contact">;

type Found = {
  readonly row: ContactRow | null;
  readonly lists: readonly ListRow[];
  readonly reader: FoundReader;
};

export function preferencesStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): PreferencesStore {
  const find = finding(sqlite);
  const contacts = contactWrites(sqlite);
  const { logConsents } = consentWrites(sqlite);
  const { addByChoice } = listMembers(sqlite);
  const { leave } = listDepartures(sqlite);
  const skipQueued = queuedForList(sqlite);

  return {
    find: async (workspaceId, address) => find(seqOf(workspaceId), address).reader,

    choose: (workspaceId, address, plan, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const { row, lists: rows, reader } = find(workspace, address);
        const planned = plan(reader);
        if (planned === null || row === null) return reader;
        if (planned.write !== null) contacts.save(workspace, row, planned.write);
        for (const { seq, id } of rows) {
          if (planned.joins.includes(id)) addByChoice(seq, row.seq, at);
          if (!planned.leaves.includes(id)) continue;
          leave(row.seq, seq, at);
          skipQueued(row.seq, seq, at);
        }
        logConsents(
          workspace,
          planned.entries.map((entry) => ({ person: row, entry })),
        );
        return find(workspace, address).reader;
      }),
  };
}

function finding(sqlite: Database): (workspace: number, address: string) => Found {
  const { byEmail } = contactWrites(sqlite);
  const { suppressionOf } = consentWrites(sqlite);
  const publicLists = sqlite.query<ListRow, [string | null, number | null, number]>(
    `SELECT l.seq, l.id, l.name, l.public_name AS publicName, l.description, m.contact FROM lists AS l
     LEFT JOIN list_members AS m ON m.list = l.seq AND m.status = ? AND m.contact = ?
     WHERE l.workspace = ? AND l.is_public = 1 ORDER BY l.seq`,
  );
  return (workspace, address) => {
    const row = byEmail(workspace, address);
    const rows = publicLists.all(row?.status ?? null, row?.seq ?? null, workspace);
    const reader = {
      contact: row === null ? null : contactOf(row),
      suppression: suppressionOf(workspace, address),
      lists: rows.map(choosable),
    };
    return { row, lists: rows, reader };
  };
}
