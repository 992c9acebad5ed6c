import type { AuditEntry } from "#audit/entry.ts";
import { presentAct, type Act } from "#core/request/acting.ts";
import type { Instant } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { aheadOf, oldBeforeSql } from "#storage/common/engine/made-ahead.ts";
import { AUDIT_KEPT_MS, AUDIT_MADE } from "#storage/common/audit/audit-age.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Around } from "#storage/postgres/engine/transaction.ts";
import type { WorkspaceSeq } from "#storage/postgres/engine/workspace-seq.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { audit, memberships } from "#storage/postgres/schema/schema.ts";

/** Each new entry removes up to this many old ones, so the log never grows faster than it is cleared. */
const FORGOTTEN_AT_ONCE = 20;

// Skips rows that another transaction is removing: so no transaction waits, and there are no deadlocks.
const FORGET = `DELETE FROM audit WHERE seq = ANY(ARRAY(
  SELECT seq FROM audit WHERE seq < (SELECT min(seq) FROM audit) + ${FORGOTTEN_AT_ONCE}
    AND (at < $1 OR seq < (${oldBeforeSql(AUDIT_MADE, "$1", "$2")}))
  FOR UPDATE SKIP LOCKED))`;

/**
 * Adds an entry to the audit log, inside the transaction that it is about.
 * @param workspace null: it belongs to no workspace
 * @returns its row number
 */
export async function addEntry(
  tx: Session,
  workspace: number | null,
  { at, who, what, target }: AuditEntry,
): Promise<number> {
  await tx.run(FORGET, [at - AUDIT_KEPT_MS, aheadOf(at)]);
  const added = await tx.row<Row<typeof audit, "seq">>(
    "INSERT INTO audit (workspace, at, who, what, target) VALUES ($1, $2, $3, $4, $5) RETURNING seq",
    [workspace, at, who, what, target],
  );
  return present(added, "new entry").seq;
}

/** One entry in every workspace that the person may enter; without any, one that belongs to no workspace. */
export async function addEntriesOf(
  tx: Session,
  email: string,
  what: string,
  at: Instant,
  { who = email, target = who === email ? null : email }: { who?: string; target?: string | null } = {},
): Promise<void> {
  const entered = await tx.rows<Row<typeof memberships, "workspace">>(
    `SELECT m.workspace FROM memberships AS m JOIN users AS u ON u.seq = m.person
     WHERE u.email = $1 AND m.joined_at IS NOT NULL ORDER BY m.workspace`,
    [email],
  );
  const entry = { at, who, what, target };
  if (entered.length === 0) await addEntry(tx, null, entry);
  for (const { workspace } of entered) await addEntry(tx, workspace, entry);
}

/**
 * How many rows this connection has changed so far, by PostgreSQL's statistics. Asked table by table: the view
 * `pg_stat_xact_user_tables` takes ten times as long.
 */
const CHANGES = `SELECT coalesce(sum(pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid)
    + pg_stat_get_xact_tuples_deleted(oid)), 0)::int8 AS n
  FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;

/**
 * Makes a transaction write the audit entry of its act if it changes anything: what was done and who did it are
 * stored together or not at all. If an act has several transactions, the first that changes something has the
 * entry. The others wait until it is committed, because nobody knows before whether it changes anything.
 */
export function recordingActs(seqOf: WorkspaceSeq): Around {
  const underWay = new WeakMap<Act, Promise<void>>();
  return async (work) => {
    const act = presentAct();
    if (act === undefined || act.entry !== null) return unrecorded(work);
    const workspace = await seqOf(act.workspaceId);
    for (let first; (first = underWay.get(act)) !== undefined;) await first;
    if (hasEntry(act)) return unrecorded(work);
    const turn = Promise.withResolvers<void>();
    underWay.set(act, turn.promise);
    let entry: Act["entry"] = null;
    return {
      async work(tx) {
        entry = null;
        const before = await changesOf(tx);
        const value = await work(tx);
        const { target } = act;
        if ((await changesOf(tx)) !== before) entry = { seq: await addEntry(tx, workspace, act), target };
        return value;
      },
      committed() {
        act.entry ??= entry;
      },
      ended() {
        underWay.delete(act);
        turn.resolve();
      },
    };
  };
}

const unrecorded = <T>(work: (tx: Session) => Promise<T>) => ({
  work,
  committed: () => undefined,
  ended: () => undefined,
});

/** Another write of the act may have added the entry while this one waited. */
const hasEntry = ({ entry }: Act): boolean => entry !== null;

const changesOf = async (tx: Session): Promise<number> =>
  present(await tx.row<{ n: number }>(CHANGES), "count of changes").n;
