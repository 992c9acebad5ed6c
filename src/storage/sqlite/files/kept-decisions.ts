/**
 * What a restore takes over from the database that it replaces: who may not be mailed any more, and which keys are
 * revoked. A backup does not know it, and a restore would undo it without anybody wanting that. Nothing is ever
 * loosened: who is out in either of the two stays out. Whoever wants the backup as it is moves the old database away
 * first.
 *
 * Either may have an older schema than ours. The tables and columns that are read here are in all of them, except those
 * that are asked for (`hasColumn`).
 */
import type { Database, Statement } from "bun:sqlite";
import { strongerReason } from "#suppression/reason.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  apiKeys,
  blockedDomains,
  confirmations,
  consentLog,
  contacts,
  suppressions,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";

export type KeptDecisions = {
  /** How many keys of the backup this revoked; null: they cannot be read. */
  readonly revokedKeys: number | null;
  /**
   * How many people and addresses of it are now left out who were not, or left one of its lists; null: not all of them
   * can be read. Those that can are taken over.
   */
  readonly optOuts: number | null;
};

type Keep = (copy: Database, old: Database, left: Set<string>) => void;

/** The old database may be damaged, which may be why it is replaced. So each part of it is read by itself. */
export const keepDecisions = (copy: Database, old: Database): KeptDecisions =>
  copy.transaction(() => {
    const left = new Set<string>();
    const keeps: readonly Keep[] = [
      keepSuppressions,
      keepDomains,
      keepStatuses,
      keepLeftLists,
      keepVoidLinks,
    ];
    const counts = keeps.map((keep) =>
      ifReadable(() => {
        keep(copy, old, left);
        return left.size;
      }),
    );
    const revokedKeys = ifReadable(() => revokeKeys(copy, old));
    return { revokedKeys, optOuts: counts.includes(null) ? null : left.size };
  })();

function ifReadable<T>(work: () => T): T | null {
  try {
    return work();
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

const hasColumn = (sqlite: Database, table: string, column: string): boolean => {
  const names = () => sqlite.query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`);
  return [...rowsOf(names)].some(({ name }) => name === column);
};

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

type SuppressionRow = Row<typeof suppressions, "address" | "reason" | "source" | "createdAt"> & InWorkspace;

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
  const saveSource = hasColumn(copy, "suppressions", "source")
    ? copy.query<null, [string | null, string, string]>(
        `UPDATE suppressions SET source = ?
         WHERE workspace = (SELECT seq FROM workspaces WHERE id = ?) AND address = ?`,
      )
    : null;
  const sourceOf = hasColumn(old, "suppressions", "source") ? "s.source" : "NULL";
  const all = () =>
    old.query<SuppressionRow, []>(
      `SELECT w.id AS workspaceId, s.address, s.reason, ${sourceOf} AS source, s.created_at AS createdAt
       FROM suppressions s JOIN workspaces w ON w.seq = s.workspace`,
    );
  for (const { workspaceId, address, reason, source, createdAt } of rowsOf(all)) {
    const before = current.get(workspaceId, address)?.reason ?? null;
    const next = strongerReason(before, reason);
    if (next === before || save.run(address, next, createdAt, workspaceId).changes === 0) continue;
    saveSource?.run(source, workspaceId, address);
    if (before === null) left.add(`${workspaceId} ${address}`);
  }
}

type DomainRow = Row<typeof blockedDomains, "domain" | "createdAt"> & InWorkspace;

function keepDomains(copy: Database, old: Database): void {
  const block = copy.query<null, [string, number, string]>(
    `INSERT INTO blocked_domains (workspace, domain, created_at)
     SELECT seq, ?, ? FROM workspaces WHERE id = ? ON CONFLICT DO NOTHING`,
  );
  const all = () =>
    old.query<DomainRow, []>(
      `SELECT w.id AS workspaceId, d.domain, d.created_at AS createdAt
       FROM blocked_domains d JOIN workspaces w ON w.seq = d.workspace`,
    );
  for (const { workspaceId, domain, createdAt } of rowsOf(all)) block.run(domain, createdAt, workspaceId);
}

type PersonRow = Row<typeof contacts, "seq" | "id">;

/** Who is meant in the copy: their address may have been another one then, and an address may have another contact now. */
const peopleIn = (copy: Database) =>
  copy.query<PersonRow, [string, string, string]>(
    `SELECT c.seq, c.id FROM workspaces w CROSS JOIN contacts c ON c.workspace = w.seq AND c.email = ?2 WHERE w.id = ?1
     UNION ALL SELECT c.seq, c.id FROM contacts c JOIN workspaces w ON w.seq = c.workspace WHERE c.id = ?3 AND w.id = ?1`,
  );

type OutRow = Row<typeof contacts, "id" | "email" | "status"> & InWorkspace;

/**
 * Who is out by their status alone: their entry on the suppression list was lifted, or they left under another address.
 * A bounce is about the address.
 */
function keepStatuses(copy: Database, old: Database, left: Set<string>): void {
  const people = peopleIn(copy);
  const leave = copy.query<null, [string, number]>(
    "UPDATE contacts SET status = ? WHERE seq = ? AND status IN ('PENDING', 'SUBSCRIBED')",
  );
  const leaveLists = copy.query<null, [number]>("DELETE FROM list_members WHERE contact = ?");
  const out = () =>
    old.query<OutRow, []>(
      `SELECT w.id AS workspaceId, c.id, c.email, c.status FROM contacts c JOIN workspaces w ON w.seq = c.workspace
       WHERE c.status IN ('UNSUBSCRIBED', 'BOUNCED')`,
    );
  for (const { workspaceId, id, email, status } of rowsOf(out))
    for (const { seq } of people.all(workspaceId, email, status === "BOUNCED" ? "" : id)) {
      if (leave.run(status, seq).changes === 0) continue;
      leaveLists.run(seq);
      left.add(`${workspaceId} ${email}`);
    }
}

type LeftRow = Row<typeof consentLog, "contactId" | "address" | "source" | "at" | "listId"> &
  InWorkspace & { readonly email: string };

type LastRow = Row<typeof consentLog, "action" | "at">;

/** Who left one list by their own choice. The entry comes along: it keeps an import from putting them back. */
function keepLeftLists(copy: Database, old: Database, left: Set<string>): void {
  if (!hasColumn(old, "consent_log", "list_id")) return;
  const people = peopleIn(copy);
  const leave = copy.query<null, [number, string | null]>(
    "DELETE FROM list_members WHERE contact = ? AND list = (SELECT seq FROM lists WHERE id = ?)",
  );
  const logLeaving = leavingIn(copy);
  const gone = () =>
    old.query<LeftRow, []>(
      `SELECT w.id AS workspaceId, e.contact_id AS contactId, e.address, coalesce(p.email, e.address) AS email,
         e.source, e.at, e.list_id AS listId
       FROM consent_log e JOIN workspaces w ON w.seq = e.workspace LEFT JOIN contacts p ON p.id = e.contact_id
       WHERE e.list_id IS NOT NULL AND e.action = 'WITHDRAWN'
       AND NOT EXISTS (SELECT 1 FROM consent_log l
         WHERE l.contact_id = e.contact_id AND l.list_id = e.list_id AND l.seq > e.seq)
       AND NOT EXISTS (SELECT 1 FROM list_members m JOIN contacts c ON c.seq = m.contact JOIN lists l ON l.seq = m.list
         WHERE c.id = e.contact_id AND l.id = e.list_id)
       AND NOT EXISTS (SELECT 1 FROM list_members m JOIN contacts c ON c.seq = m.contact JOIN lists l ON l.seq = m.list
         WHERE c.workspace = e.workspace AND c.email = coalesce(p.email, e.address) AND l.id = e.list_id)`,
    );
  for (const row of rowsOf(gone))
    for (const { seq, id } of people.all(row.workspaceId, row.email, row.contactId)) {
      const wasOn = leave.run(seq, row.listId).changes > 0;
      if (logLeaving(id, row, wasOn) || wasOn) left.add(`${row.workspaceId} ${row.email}`);
    }
}

/** Logs that a contact left a list, unless the copy knows it. False: nothing was to be logged. */
function leavingIn(copy: Database): (contactId: string, left: LeftRow, wasOn: boolean) => boolean {
  if (!hasColumn(copy, "consent_log", "list_id")) return () => false;
  const last = copy.query<LastRow, [string, string | null]>(
    "SELECT action, at FROM consent_log WHERE contact_id = ? AND list_id = ? ORDER BY seq DESC LIMIT 1",
  );
  const log = copy.query<null, [string, string, string, number, string, string | null]>(
    `INSERT INTO consent_log (workspace, contact_id, address, action, source, at, list_id)
     SELECT w.seq, ?1, ?2, 'WITHDRAWN', ?3, ?4, l.id FROM workspaces w CROSS JOIN lists l ON l.workspace = w.seq
     WHERE w.id = ?5 AND l.id = ?6`,
  );
  return (contactId, { address, source, at, listId, workspaceId }, wasOn) => {
    const known = last.get(contactId, listId);
    if (!wasOn && known?.action === "WITHDRAWN" && known.at >= at) return false;
    return log.run(contactId, address, source, at, workspaceId, listId).changes > 0;
  };
}

type VoidRow = Row<typeof confirmations, "address" | "createdAt" | "voidedAt"> & InWorkspace;

/** A confirmation link must never raise somebody who said no after it was sent. */
function keepVoidLinks(copy: Database, old: Database): void {
  if (![copy, old].every((sqlite) => hasColumn(sqlite, "confirmations", "voided_at"))) return;
  const end = copy.query<null, [number | null, string, string, number]>(
    `UPDATE confirmations SET voided_at = ?
     WHERE workspace = (SELECT seq FROM workspaces WHERE id = ?) AND address = ? AND created_at = ? AND voided_at IS NULL`,
  );
  const ended = () =>
    old.query<VoidRow, []>(
      `SELECT w.id AS workspaceId, f.address, f.created_at AS createdAt, f.voided_at AS voidedAt
       FROM confirmations f JOIN workspaces w ON w.seq = f.workspace WHERE f.voided_at IS NOT NULL`,
    );
  for (const { workspaceId, address, createdAt, voidedAt } of rowsOf(ended))
    end.run(voidedAt, workspaceId, address, createdAt);
}
