import type { Database } from "bun:sqlite";
import { staysUntil, type ActiveRun, type EnrollHistory } from "#automations/run/enroll.ts";
import { enter, type NodeTally } from "#automations/run/node-tally.ts";
import type { AdmitRule, DueAutomation, Slice } from "#automations/run/store.ts";
import { newRun } from "#automations/run/step/step-outcome.ts";
import { storedTrigger } from "#storage/common/automations/stored-trigger.ts";
import { nodeBook } from "#storage/sqlite/automations/node-counts.ts";
import { attempts } from "#storage/sqlite/engine/writes/savepoint.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { automationStarts, enrollments } from "#storage/sqlite/schema/schema.ts";
import { stayingStarts } from "./staying-starts.ts";

type StartRow = Row<
  typeof automationStarts,
  "seq" | "contact" | "kind" | "detail" | "event" | "depth" | "createdAt" | "attempts"
>;
type ActiveRow = Row<typeof enrollments, "waiting" | "nextRunAt">;

/**
 * Takes the triggers that wait for an automation, on an open transaction. One that throws is tried again later and
 * stops no other.
 */
export function admitStarts(sqlite: Database) {
  const due = sqlite.query<StartRow, [number, number, number]>(
    `SELECT seq, contact, kind, detail, event, depth, created_at AS createdAt, attempts FROM automation_starts
     WHERE automation = ? AND next_try_at <= ? ORDER BY next_try_at, seq LIMIT ?`,
  );
  const remove = sqlite.query<null, [number]>("DELETE FROM automation_starts WHERE seq = ?");
  const putOff = sqlite.query<null, [number, string, number]>(
    "UPDATE automation_starts SET attempts = attempts + 1, next_try_at = ?, problem = ? WHERE seq = ?",
  );
  const enroll = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO enrollments (id, automation, contact, event, depth, status, node, next_run_at, enrolled_at)
     VALUES (?1, ?2, ?3, ?4, ?5, 'ACTIVE', ?6, ?7, ?7)`,
  );
  const attempt = attempts(sqlite, "admission");
  const book = nodeBook(sqlite);
  const staying = stayingStarts(sqlite);
  const historyOf = histories(sqlite, staying);

  /** Returns the node at which a run begins. */
  const admit = (automation: number, row: StartRow, rule: AdmitRule, now: number): string | null => {
    const entry = rule.entry(storedTrigger(row));
    const history = historyOf(automation, row);
    const decision = entry === null ? "not-expected" : rule.enroll(entry, history, row);
    if (decision === "stay") {
      staying.stay(row.seq, staysUntil(present(history.active, "run that a start waits for"), now));
      return null;
    }
    remove.run(row.seq);
    if (entry === null || decision !== "enroll") {
      staying.callNext(automation, row.contact, now);
      return null;
    }
    const { currentNodeId } = newRun(entry.nodeId);
    enroll.run(rule.newId(), automation, row.contact, row.event, row.depth, currentNodeId, now);
    return currentNodeId;
  };

  return ({ number }: DueAutomation, slice: Slice, rule: AdmitRule) => {
    const crashes: unknown[] = [];
    const nodes: NodeTally = new Map();
    let done = 0;
    const isOver = slice.begin();
    for (const row of due.all(number, slice.now, slice.rowsMax)) {
      if (done > 0 && isOver()) break;
      done++;
      const tried = attempt(() => admit(number, row, rule, slice.now));
      if (tried.ok) {
        if (tried.value !== null) enter(nodes, tried.value);
        continue;
      }
      crashes.push(tried.error);
      const at = rule.retryAt(row.attempts + 1, row.createdAt);
      if (at === null) remove.run(row.seq);
      else putOff.run(at, String(tried.error), row.seq);
    }
    book(number, nodes);
    return { done, crashes };
  };
}

/** What has been of a start's contact in the automation. */
function histories(sqlite: Database, staying: ReturnType<typeof stayingStarts>) {
  const find = sqlite.query<{ active: number; ever: number }, [number, number]>(
    // Each stops at the first row: one who stands for many may have been in a million times.
    `SELECT EXISTS (SELECT 1 FROM enrollments WHERE contact = ?1 AND automation = ?2 AND status = 'ACTIVE') AS active,
       EXISTS (SELECT 1 FROM enrollments WHERE contact = ?1 AND automation = ?2) AS ever`,
  );
  const findActive = sqlite.query<ActiveRow, [number, number]>(
    `SELECT waiting, next_run_at AS nextRunAt FROM enrollments WHERE contact = ? AND automation = ? AND status = 'ACTIVE'`,
  );

  const activeRun = (automation: number, contact: number): ActiveRun => {
    const { waiting, nextRunAt } = present(findActive.get(contact, automation), "active run");
    return { waiting: waiting === 1, nextRunAt };
  };

  return (automation: number, { seq, contact, depth }: StartRow): EnrollHistory => {
    const { active, ever } = present(find.get(contact, automation), "earlier runs");
    return {
      active: active > 0 ? activeRun(automation, contact) : null,
      everEnrolled: ever > 0,
      causedStays: active > 0 && depth > 0 && staying.isCausedBefore(automation, contact, seq),
    };
  };
}
