import type { Database } from "bun:sqlite";
import type { Complete, Move, RunState } from "#automations/run/step-outcome.ts";
import type { TriesSoFar } from "#automations/run/decision.ts";
import type { Contact } from "#contacts/contact.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { enrollmentFacts } from "#storage/sqlite/webhooks/enrollment-facts.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { enrollments } from "#storage/sqlite/schema/schema.ts";

/** A run as the engine sees it. */
export type RunRow = {
  readonly seq: number;
  readonly id: string;
  readonly automation: number;
  readonly contact: number;
  readonly event: number | null;
  readonly depth: number;
  readonly state: RunState;
  readonly tries: TriesSoFar;
  /** Why the current step is tried again; null where nothing is wrong. */
  readonly problem: string | null;
};

type StoredRun = Row<
  typeof enrollments,
  | "automation"
  | "contact"
  | "event"
  | "depth"
  | "node"
  | "waiting"
  | "steps"
  | "stepsSinceWait"
  | "attempts"
  | "firstAttemptAt"
  | "problem"
> & {
  readonly run: Value<typeof enrollments, "seq">;
  readonly runId: Value<typeof enrollments, "id">;
};

const RUN = `e.seq AS run, e.id AS runId, e.automation, e.contact, e.event, e.depth, e.node, e.waiting, e.steps,
  e.steps_since_wait AS stepsSinceWait, e.attempts, e.first_attempt_at AS firstAttemptAt, e.problem`;
/**
 * Where a run stands is written with every transition, because it may have passed several nodes since it was
 * read.
 */
const STANDS =
  "node = ?2, waiting = ?3, steps = ?4, steps_since_wait = ?5, attempts = ?6, first_attempt_at = ?7";

/**
 * The transitions of an enrollment (automations/automation.ts), on an open transaction. Each one applies only
 * to an ACTIVE enrollment.
 */
export function enrollmentMoves(sqlite: Database) {
  const due = sqlite.query<StoredRun & ContactRow, [number, number, number]>(
    `SELECT ${RUN}, ${CONTACT_COLUMNS} FROM enrollments AS e CROSS JOIN contacts AS c ON c.seq = e.contact
     WHERE e.automation = ? AND e.status = 'ACTIVE' AND e.next_run_at <= ? ORDER BY e.next_run_at, e.seq LIMIT ?`,
  );
  const find = sqlite.query<StoredRun, [number]>(
    `SELECT ${RUN} FROM enrollments AS e WHERE e.seq = ? AND e.status = 'ACTIVE'`,
  );
  const stand = sqlite.query<null, (string | number | null)[]>(
    `UPDATE enrollments SET ${STANDS}, next_run_at = ?8, problem = ?9
     WHERE seq = ?1 AND status = 'ACTIVE'`,
  );
  const complete = sqlite.query<null, (string | number | null)[]>(
    `UPDATE enrollments SET ${STANDS}, status = 'COMPLETED', completed_at = ?8, problem = NULL WHERE seq = ?1 AND status = 'ACTIVE'`,
  );
  const fail = sqlite.query<null, (string | number | null)[]>(
    `UPDATE enrollments SET ${STANDS}, status = 'FAILED', completed_at = ?8, error_message = ?9, problem = NULL
     WHERE seq = ?1 AND status = 'ACTIVE'`,
  );

  const stands = ({ seq, state, tries }: RunRow): (string | number | null)[] => [
    seq,
    state.currentNodeId,
    state.waiting ? 1 : 0,
    state.steps,
    state.stepsSinceWait,
    tries.attempts,
    tries.firstAttemptAt,
  ];
  const tell = enrollmentFacts(sqlite);
  const standUntil = (row: RunRow, at: number): void => void stand.run(...stands(row), at, row.problem);

  return {
    /** With their contacts as they are now. */
    due: (automation: number, now: number, limit: number): { row: RunRow; contact: Contact }[] =>
      due.all(automation, now, limit).map((stored) => ({ row: runOf(stored), contact: contactOf(stored) })),
    find: (seq: number): RunRow | null => {
      const stored = find.get(seq);
      return stored && runOf(stored);
    },

    follow(row: RunRow, outcome: Move | Complete, now: number): void {
      if (outcome.kind === "move") return standUntil(moved(row, outcome), outcome.nextRunAt);
      if (complete.run(...stands(row), now).changes > 0) tell(row.seq, "automation.completed", now);
    },

    fail(row: RunRow, errorMessage: string, now: number): void {
      if (fail.run(...stands(row), now, errorMessage).changes > 0) tell(row.seq, "automation.failed", now);
    },

    /** If `problem` is null, nothing is wrong and this does not count as a try. */
    later(row: RunRow, { at, problem }: { at: number; problem: string | null }, now: number): void {
      const { attempts, firstAttemptAt } = row.tries;
      const tries = { attempts: attempts + 1, firstAttemptAt: firstAttemptAt ?? now };
      standUntil(problem === null ? row : { ...row, problem, tries }, at);
    },

    /**
     * Nobody takes the run again before `until`: either it continues then, or somebody is working on its
     * step.
     */
    standUntil,
  };
}

/** A run after a move: nothing is wrong, and nothing was tried yet. */
export function moved(row: RunRow, { state }: Move): RunRow {
  return { ...row, state, tries: { attempts: 0, firstAttemptAt: null }, problem: null };
}

function runOf(stored: StoredRun): RunRow {
  const { run, runId, automation, contact, event, depth, node, waiting, steps, stepsSinceWait, problem } =
    stored;
  return {
    seq: run,
    id: runId,
    automation,
    contact,
    event,
    depth,
    state: { currentNodeId: node, waiting: waiting === 1, steps, stepsSinceWait },
    tries: { attempts: stored.attempts, firstAttemptAt: stored.firstAttemptAt },
    problem,
  };
}
