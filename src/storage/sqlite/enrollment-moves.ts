import type { Database } from "bun:sqlite";
import type { Complete, Move, RunState } from "#automations/step-outcome.ts";
import type { TriesSoFar } from "#automations/turn.ts";

/** A run as the engine sees it. */
export type RunRow = {
  readonly seq: number;
  readonly id: string;
  readonly contact: number;
  readonly event: number | null;
  readonly depth: number;
  readonly state: RunState;
  readonly tries: TriesSoFar;
};

type StoredRun = Omit<RunRow, "state" | "tries"> & {
  readonly node: string;
  readonly waiting: number;
  readonly steps: number;
  readonly stepsSinceWait: number;
  readonly attempts: number;
  readonly firstAttemptAt: number | null;
};

const RUN = `SELECT seq, id, contact, event, depth, node, waiting, steps, steps_since_wait AS stepsSinceWait, attempts,
  first_attempt_at AS firstAttemptAt FROM enrollments`;

/** The arrows of an enrollment (automations/automation.ts), on an open transaction. Each leaves ACTIVE only once. */
export function enrollmentMoves(sqlite: Database) {
  const due = sqlite.query<StoredRun, [number, number, number]>(
    `${RUN} WHERE automation = ? AND status = 'ACTIVE' AND next_run_at <= ? ORDER BY next_run_at, seq LIMIT ?`,
  );
  const find = sqlite.query<StoredRun, [number]>(`${RUN} WHERE seq = ? AND status = 'ACTIVE'`);
  const move = sqlite.query<null, (string | number)[]>(
    `UPDATE enrollments SET node = ?, waiting = ?, steps = ?, steps_since_wait = ?, next_run_at = ?, attempts = 0,
       first_attempt_at = NULL, problem = NULL WHERE seq = ? AND status = 'ACTIVE'`,
  );
  const complete = sqlite.query<null, [number, number]>(
    "UPDATE enrollments SET status = 'COMPLETED', completed_at = ?, problem = NULL WHERE seq = ? AND status = 'ACTIVE'",
  );
  const fail = sqlite.query<null, [number, string, number]>(
    "UPDATE enrollments SET status = 'FAILED', completed_at = ?, error_message = ?, problem = NULL WHERE seq = ? AND status = 'ACTIVE'",
  );
  const wait = sqlite.query<null, [number, number]>(
    "UPDATE enrollments SET next_run_at = ? WHERE seq = ? AND status = 'ACTIVE'",
  );
  const retry = sqlite.query<null, (string | number)[]>(
    `UPDATE enrollments SET next_run_at = ?, problem = ?, attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ?)
     WHERE seq = ? AND status = 'ACTIVE'`,
  );

  type Row = Pick<RunRow, "seq">;
  return {
    due: (automation: number, now: number, limit: number): RunRow[] =>
      due.all(automation, now, limit).map(runOf),
    find: (seq: number): RunRow | null => {
      const row = find.get(seq);
      return row && runOf(row);
    },

    follow({ seq }: Row, outcome: Move | Complete, now: number): void {
      if (outcome.kind === "complete") complete.run(now, seq);
      else {
        const { currentNodeId, waiting, steps, stepsSinceWait } = outcome.state;
        move.run(currentNodeId, waiting ? 1 : 0, steps, stepsSinceWait, outcome.nextRunAt, seq);
      }
    },

    fail: ({ seq }: Row, errorMessage: string, now: number): void => void fail.run(now, errorMessage, seq),

    /** Without a problem nothing is wrong, and it is no try. */
    later({ seq }: Row, { at, problem }: { at: number; problem: string | null }, now: number): void {
      if (problem === null) wait.run(at, seq);
      else retry.run(at, problem, now, seq);
    },

    /** Somebody works on the step: nobody else takes it before `until`. */
    lease: ({ seq }: Row, until: number): void => void wait.run(until, seq),
  };
}

function runOf({
  node,
  waiting,
  steps,
  stepsSinceWait,
  attempts,
  firstAttemptAt,
  ...row
}: StoredRun): RunRow {
  return {
    ...row,
    state: { currentNodeId: node, waiting: waiting === 1, steps, stepsSinceWait },
    tries: { attempts, firstAttemptAt },
  };
}
