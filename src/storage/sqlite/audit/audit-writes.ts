import type { Database } from "bun:sqlite";
import type { AuditEntry } from "#audit/entry.ts";
import { presentAct, type Act } from "#core/request/acting.ts";
import type { Instant } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { aheadOf, oldBeforeSql } from "#storage/common/engine/made-ahead.ts";
import { AUDIT_KEPT_MS, AUDIT_MADE } from "#storage/common/audit/audit-age.ts";
import type { AroundSlices } from "#storage/sqlite/engine/writes/long-writes.ts";
import type { Surrounded } from "#storage/sqlite/engine/writes/write-queue.ts";
import { workspaceSeq, type WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { audit, memberships } from "#storage/sqlite/schema/schema.ts";

/** Each new entry removes up to this many old ones, so the log never grows faster than it is cleared. */
const FORGOTTEN_AT_ONCE = 20;

export type AuditWrites = ReturnType<typeof auditWrites>;

/** Entries of the audit log, written inside the transaction that they are about. */
export function auditWrites(sqlite: Database) {
  const insert = sqlite.query<
    Row<typeof audit, "seq">,
    [number | null, number, string, string, string | null]
  >("INSERT INTO audit (workspace, at, who, what, target) VALUES (?, ?, ?, ?, ?) RETURNING seq");
  const forget = sqlite.query<null, [number, number, number]>(
    `DELETE FROM audit WHERE seq < (SELECT min(seq) FROM audit) + ?1
       AND (at < ?2 OR seq < (${oldBeforeSql(AUDIT_MADE, "?2", "?3")}))`,
  );
  const workspacesOf = sqlite.query<Row<typeof memberships, "workspace">, [string]>(
    `SELECT m.workspace FROM memberships AS m JOIN users AS u ON u.seq = m.user
     WHERE u.email = ? AND m.joined_at IS NOT NULL`,
  );

  /** @param workspace null: the entry belongs to no workspace */
  const add = (workspace: number | null, { at, who, what, target }: AuditEntry): number => {
    forget.run(FORGOTTEN_AT_ONCE, at - AUDIT_KEPT_MS, aheadOf(at));
    return insert.get(workspace, at, who, what, target)?.seq ?? 0;
  };

  return {
    add,

    /**
     * One entry in every workspace that the person may enter; without any, one that belongs to no workspace.
     */
    addOf(
      email: string,
      what: string,
      at: Instant,
      { who = email, target = who === email ? null : email }: { who?: string; target?: string | null } = {},
    ): void {
      const entered = workspacesOf.all(email);
      const entry = { at, who, what, target };
      if (entered.length === 0) add(null, entry);
      for (const { workspace } of entered) add(workspace, entry);
    },
  };
}

/** Writes the entry of an act, once. */
export function recordAct(entries: Pick<AuditWrites, "add">, seqOf: WorkspaceSeq, act: Act): void {
  const { target } = act;
  act.entry ??= { seq: entries.add(seqOf(act.workspaceId), act), target };
}

/**
 * Makes a transaction write the audit entry of its act if it changes anything: what was done and who did it are
 * stored together or not at all. If an act has several transactions, the first one has the entry.
 */
export function recordingActs(sqlite: Database): <T>(work: () => T) => Surrounded<() => T> {
  const entries = auditWrites(sqlite);
  const seqOf = workspaceSeq(sqlite);
  const count = changesOf(sqlite);
  return (work) => {
    const act = presentAct();
    if (act === undefined) return { work, undone: () => undefined };
    const own = ownEntry(act);
    return {
      work() {
        if (act.entry !== null) return work();
        const before = count();
        const value = work();
        if (count() !== before) own.record(entries, seqOf);
        return value;
      },
      undone: own.undone,
    };
  };
}

/** The same for a write in slices. */
export const recordingActsInSlices: AroundSlices = (slices) => {
  const act = presentAct();
  if (act === undefined) return { work: slices, undone: () => undefined };
  const own = ownEntry(act);
  return {
    *work(sqlite) {
      if (act.entry !== null) return yield* slices(sqlite);
      const count = changesOf(sqlite);
      const before = count();
      const value = yield* slices(sqlite);
      if (count() !== before) own.record(auditWrites(sqlite), workspaceSeq(sqlite));
      return value;
    },
    undone: own.undone,
  };
};

/**
 * The entry that one write adds. Other writes of the act that share its commit must see it at once. If the
 * commit fails, none is kept, and the next entry gets its number: so the act has none then.
 */
function ownEntry(act: Act) {
  let own: Act["entry"] = null;
  return {
    record(entries: Pick<AuditWrites, "add">, seqOf: WorkspaceSeq): void {
      recordAct(entries, seqOf, act);
      own = act.entry;
    },
    undone(): void {
      if (own !== null && act.entry === own) act.entry = null;
    },
  };
}

function changesOf(sqlite: Database): () => number {
  const changes = sqlite.query<{ n: number }, []>("SELECT total_changes() AS n");
  return () => present(changes.get(), "count of changes").n;
}
