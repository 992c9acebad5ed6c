import type { ChoicePlan, FoundReader } from "#preferences/choice.ts";
import type { PreferencesStore } from "#preferences/store.ts";
import { choosable } from "#storage/common/preferences/choosable-list.ts";
import { logConsents } from "#storage/postgres/consent/consent-entries.ts";
import { reasonsOf } from "#storage/postgres/consent/suppression-writes.ts";
import { contactOf, findByEmail, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import { holdByEmail, saveAll } from "#storage/postgres/contacts/contact-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { finishEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import { skipQueuedForList } from "#storage/postgres/ledger/moves/queued-for-list.ts";
import { leave } from "#storage/postgres/lists/list-departures.ts";
import { join } from "#storage/postgres/lists/list-members.ts";
import type { OuterRow, Row } from "#storage/postgres/schema/row.ts";
import type { listMembers, lists } from "#storage/postgres/schema/schema.ts";

type ListRow = Row<typeof lists, "seq" | "id" | "name" | "publicName" | "description"> &
  OuterRow<typeof listMembers, "contact">;

type Found = {
  readonly lists: readonly ListRow[];
  readonly reader: FoundReader;
};

const PUBLIC_LISTS = `SELECT l.seq, l.id, l.name, l.public_name, l.description, m.contact FROM lists AS l
  LEFT JOIN list_members AS m ON m.list = l.seq AND m.contact = $2
  WHERE l.workspace = $1 AND l.is_public ORDER BY l.seq`;

/** No list that the contact may join or leave can be deleted meanwhile. */
const HOLDING = " FOR KEY SHARE OF l";

export function preferencesStore(database: PostgresDatabase): PreferencesStore {
  const { read, write, seqOf } = database;
  return {
    async find(workspaceId, address) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => find(session, workspace, address));
    },

    async choose(workspaceId, address, plan, at) {
      const workspace = await seqOf(workspaceId);
      const { reader, lessOwed } = await write((tx) => choose(tx, workspace, address, plan, at));
      await finishEmptied(database, lessOwed, at);
      return reader;
    },
  };
}

async function choose(
  tx: Session,
  workspace: number,
  address: string,
  plan: (found: FoundReader) => ChoicePlan | null,
  at: number,
): Promise<{ readonly reader: FoundReader; readonly lessOwed: readonly number[] }> {
  const row = (await holdByEmail(tx, workspace, [address])).get(address) ?? null;
  const { lists: rows, reader } = await readerOf(tx, workspace, address, row, HOLDING);
  const planned = plan(reader);
  if (planned === null || row === null) return { reader, lessOwed: [] };
  if (planned.write !== null) await saveAll(tx, workspace, [{ row, write: planned.write }]);
  const lessOwed: number[] = [];
  for (const { seq, id } of rows) {
    if (planned.joins.includes(id)) await join(tx, seq, [row.seq], at);
    if (!planned.leaves.includes(id)) continue;
    await leave(tx, row.seq, seq, at);
    lessOwed.push(...(await skipQueuedForList(tx, row.seq, seq, at)));
  }
  await logConsents(
    tx,
    workspace,
    planned.entries.map((entry) => ({ person: row, entry })),
  );
  return { reader: await find(tx, workspace, address), lessOwed };
}

async function find(session: Session, workspace: number, address: string): Promise<FoundReader> {
  const row = await findByEmail(session, workspace, address);
  return (await readerOf(session, workspace, address, row)).reader;
}

async function readerOf(
  session: Session,
  workspace: number,
  address: string,
  row: ContactRow | null,
  locking = "",
): Promise<Found> {
  const found = await session.rows<ListRow>(PUBLIC_LISTS + locking, [workspace, row?.seq ?? null]);
  const reasons = await reasonsOf(session, workspace, [address]);
  const reader = {
    contact: row && contactOf(row),
    suppression: reasons.get(address) ?? null,
    lists: found.map(choosable),
  };
  return { lists: found, reader };
}
