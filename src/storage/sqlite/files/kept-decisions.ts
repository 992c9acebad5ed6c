/**
 * What a restore takes over from the database that it replaces: who may not be mailed any more, and which keys are
 * revoked. A backup does not know it, and a restore would undo it without anybody wanting that. Nothing is ever
 * loosened: who is out in either of the two stays out. Whoever wants the backup as it is moves the old database away
 * first.
 *
 * Either may have an older schema than ours. The tables and columns that are read here are in all of them, except
 * `list_id`.
 */
import type { Database, Statement } from "bun:sqlite";
import { strongerReason } from "#suppression/reason.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  apiKeys,
  consentLog,
  contacts,
  suppressions,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";

export type KeptDecisions = {
  /** How many keys of the backup this revoked. */
  readonly revokedKeys: number;
  /** How many people and addresses of it are now left out who were not, or left one of its lists. */
  readonly optOuts: number;
};

/** @returns null if the old database cannot be read; then nothing is taken over */
export function keepDecisions(copy: Database, old: Database): KeptDecisions | null {
  try {
    return copy.transaction(() => {
      const left = new Set<string>();
      keepSuppressions(copy, old, left);
      keepStatuses(copy, old, left);
      if (hasLists(copy) && hasLists(old)) keepLeftLists(copy, old, left);
      return { revokedKeys: revokeKeys(copy, old), optOuts: left.size };
    })();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}

/** The rows of the old database. It may be replaced because it is damaged; what the copy throws is another matter. */
function* rowsOf<T>(query: () => Statement<T, []>): Generator<T> {
  try {
    yield* query().iterate();
  } catch (error) {
    throw new Unreadable("the database that is replaced cannot be read", { cause: error });
  }
}

type InWorkspace = { readonly workspaceId: Value<typeof workspaces, "id"> };

type KeyRow = Row<typeof apiKeys, "id" | "revokedAt">;

/** Revoked stays revoked: a key is often revoked because a stranger has it. */
function revokeKeys(copy: Database, old: Database): number {
  const revoke = copy.query<null, [number | null, string]>(
    "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
  );
  let changed = 0;
  const revoked = () =>
    old.query<KeyRow, []>("SELECT id, revoked_at AS revokedAt FROM api_keys WHERE revoked_at IS NOT NULL");
  for (const { id, revokedAt } of rowsOf(revoked)) if (revoke.run(revokedAt, id).changes > 0) changed++;
  return changed;
}

type SuppressionRow = Row<typeof suppressions, "address" | "reason" | "createdAt"> & InWorkspace;

function keepSuppressions(copy: Database, old: Database, left: Set<string>): void {
  const current = copy.query<Row<typeof suppressions, "reason">, [string, string]>(
    `SELECT s.reason FROM suppressions s JOIN workspaces w ON w.seq = s.workspace
     WHERE w.id = ? AND s.address = ?`,
  );
  const save = copy.query<null, [string, string, number, string]>(
    `INSERT INTO suppressions (workspace, address, reason, created_at)
     SELECT seq, ?, ?, ? FROM workspaces WHERE id = ?
     ON CONFLICT DO UPDATE SET reason = excluded.reason`,
  );
  const all = () =>
    old.query<SuppressionRow, []>(
      `SELECT w.id AS workspaceId, s.address, s.reason, s.created_at AS createdAt
       FROM suppressions s JOIN workspaces w ON w.seq = s.workspace`,
    );
  for (const { workspaceId, address, reason, createdAt } of rowsOf(all)) {
    const before = current.get(workspaceId, address)?.reason ?? null;
    const next = strongerReason(before, reason);
    if (next === before || save.run(address, next, createdAt, workspaceId).changes === 0) continue;
    if (before === null) left.add(`${workspaceId} ${address}`);
  }
}

type OutRow = Row<typeof contacts, "email" | "status"> & InWorkspace;

/** Who is out by their status alone: their entry on the suppression list was lifted. */
function keepStatuses(copy: Database, old: Database, left: Set<string>): void {
  const leave = copy.query<null, [string, string, string]>(
    `UPDATE contacts SET status = ? WHERE workspace = (SELECT seq FROM workspaces WHERE id = ?) AND email = ?
     AND status IN ('PENDING', 'SUBSCRIBED')`,
  );
  const out = () =>
    old.query<OutRow, []>(
      `SELECT w.id AS workspaceId, c.email, c.status FROM contacts c JOIN workspaces w ON w.seq = c.workspace
       WHERE c.status IN ('UNSUBSCRIBED', 'BOUNCED')`,
    );
  for (const { workspaceId, email, status } of rowsOf(out))
    if (leave.run(status, workspaceId, email).changes > 0) left.add(`${workspaceId} ${email}`);
}

const hasLists = (sqlite: Database): boolean =>
  sqlite.query("SELECT 1 FROM pragma_table_info('consent_log') WHERE name = 'list_id'").get() !== null;

type LeftRow = Row<typeof consentLog, "contactId" | "address" | "source" | "at" | "listId"> & InWorkspace;

/** Who left one list by their own choice. The entry comes along: it keeps an import from putting them back. */
function keepLeftLists(copy: Database, old: Database, left: Set<string>): void {
  const leave = copy.query<null, [string, string | null]>(
    `DELETE FROM list_members WHERE contact = (SELECT seq FROM contacts WHERE id = ?)
     AND list = (SELECT seq FROM lists WHERE id = ?)`,
  );
  const log = copy.query<null, [string, string, string, number, string | null, string]>(
    `INSERT INTO consent_log (workspace, contact_id, address, action, source, at, list_id)
     SELECT seq, ?, ?, 'WITHDRAWN', ?, ?, ? FROM workspaces WHERE id = ?`,
  );
  const gone = () =>
    old.query<LeftRow, []>(
      `SELECT w.id AS workspaceId, e.contact_id AS contactId, e.address, e.source, e.at, e.list_id AS listId
       FROM consent_log e JOIN workspaces w ON w.seq = e.workspace
       WHERE e.list_id IS NOT NULL AND e.action = 'WITHDRAWN'
       AND NOT EXISTS (SELECT 1 FROM consent_log l
         WHERE l.contact_id = e.contact_id AND l.list_id = e.list_id AND l.seq > e.seq)
       AND NOT EXISTS (SELECT 1 FROM list_members m JOIN contacts c ON c.seq = m.contact JOIN lists l ON l.seq = m.list
         WHERE c.id = e.contact_id AND l.id = e.list_id)`,
    );
  for (const row of rowsOf(gone)) {
    if (leave.run(row.contactId, row.listId).changes === 0) continue;
    log.run(row.contactId, row.address, row.source, row.at, row.listId, row.workspaceId);
    left.add(`${row.workspaceId} ${row.address}`);
  }
}
