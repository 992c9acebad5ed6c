import type { Database } from "bun:sqlite";
import type { RunMove } from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import type { Contact } from "#contacts/contact.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { runOf } from "#storage/common/automations/stored-run.ts";
import { enrollmentOutbox } from "#storage/sqlite/webhooks/enrollment-outbox.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { enrollments } from "#storage/sqlite/schema/schema.ts";

type RunRow = Row<
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
  | "nextRunAt"
  | "problem"
> & {
  readonly run: Value<typeof enrollments, "seq">;
  readonly runId: Value<typeof enrollments, "id">;
};

export type DueRun = { readonly run: Run; readonly contact: Contact };

const RUN = `e.seq AS run, e.id AS runId, e.automation, e.contact, e.event, e.depth, e.node, e.waiting, e.steps,
  e.steps_since_wait AS stepsSinceWait, e.attempts, e.first_attempt_at AS firstAttemptAt,
  e.next_run_at AS nextRunAt, e.problem`;
/**
 * The position of a run is written with every transition, because it may have passed several nodes since it was
 * read.
 */
const STANDS =
  "node = ?2, waiting = ?3, steps = ?4, steps_since_wait = ?5, attempts = ?6, first_attempt_at = ?7";

/**
 * The transitions of an enrollment (automations/automation.ts), on an open transaction. Each one applies only
 * to an ACTIVE enrollment.
 */
export function enrollmentMoves(sqlite: Database) {
  const due = sqlite.query<RunRow & ContactRow, [number, number, number]>(
    `SELECT ${RUN}, ${CONTACT_COLUMNS} FROM enrollments AS e CROSS JOIN contacts AS c ON c.seq = e.contact
     WHERE e.automation = ? AND e.status = 'ACTIVE' AND e.next_run_at <= ? ORDER BY e.next_run_at, e.seq LIMIT ?`,
  );
  const find = sqlite.query<RunRow, [number]>(
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

  const stands = ({ seq, state, tries }: Run): (string | number | null)[] => [
    seq,
    state.currentNodeId,
    state.waiting ? 1 : 0,
    state.steps,
    state.stepsSinceWait,
    tries.attempts,
    tries.firstAttemptAt,
  ];
  const tell = enrollmentOutbox(sqlite);

  return {
    /** With their contacts' current state. */
    due: (automation: number, now: number, limit: number): DueRun[] =>
      due
        .all(automation, now, limit)
        .map((stored) => ({ run: runOfRow(stored), contact: contactOf(stored) })),
    find: (seq: number): Run | null => {
      const stored = find.get(seq);
      return stored && runOfRow(stored);
    },

    move(move: RunMove, now: number): void {
      const { run } = move;
      switch (move.kind) {
        case "stand":
          stand.run(...stands(run), move.at, run.problem);
          return;
        case "complete":
          if (complete.run(...stands(run), now).changes > 0) tell(run.seq, "automation.completed", now);
          return;
        case "fail": {
          const { changes } = fail.run(...stands(run), now, move.errorMessage);
          if (changes > 0) tell(run.seq, "automation.failed", now);
          return;
        }
        default:
          move satisfies never;
      }
    },
  };
}

const runOfRow = (stored: RunRow): Run => runOf(stored, stored.waiting === 1);
