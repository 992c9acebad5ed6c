import { endsStay } from "#automations/run/enroll.ts";
import type { RunMove } from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import { storableText } from "#core/text/stored-text.ts";
import { runOf, type StoredRun } from "#storage/common/automations/stored-run.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { callNext } from "#storage/postgres/automations/staying-starts.ts";
import { tellEnrollments } from "#storage/postgres/webhooks/enrollment-outbox.ts";

type RunRow = StoredRun & { readonly waiting: boolean };

const RUN = `SELECT e.seq AS run, e.id AS run_id, e.automation, e.contact, e.event, e.depth, e.node, e.waiting, e.steps,
    e.steps_since_wait, e.attempts, e.first_attempt_at, e.next_run_at, e.problem FROM enrollments AS e`;
// A run whose contact is being changed is skipped, like one that another node works on. It stays due.
const DUE = `${RUN} JOIN contacts AS c ON c.seq = e.contact
  WHERE e.automation = $1 AND e.status = 'ACTIVE' AND e.next_run_at <= $2 AND ($4::int8 IS NULL OR e.seq = $4)
  ORDER BY e.next_run_at, e.seq LIMIT $3 FOR NO KEY UPDATE OF e, c SKIP LOCKED`;
const DUE_SEQS = `SELECT seq FROM enrollments WHERE automation = $1 AND status = 'ACTIVE' AND next_run_at <= $2
  ORDER BY next_run_at, seq LIMIT $3`;

/** Due runs, oldest first. `only`: no other run than this; null: any. */
export type Due = {
  readonly automation: number;
  readonly now: number;
  readonly limit: number;
  readonly only: number | null;
};

/** Locks due runs with their contacts, and skips locked ones: no two transactions have the same run. */
export async function takeDue({ rows }: Session, { automation, now, limit, only }: Due): Promise<Run[]> {
  return (await rows<RunRow>(DUE, [automation, now, limit, only])).map(runOfRow);
}

/** The numbers of due runs, without locking them. */
export async function dueSeqs(
  { rows }: Session,
  { automation, now, limit }: Omit<Due, "only">,
): Promise<number[]> {
  return (await rows<{ seq: number }>(DUE_SEQS, [automation, now, limit])).map(({ seq }) => seq);
}

/** An ACTIVE run, locked. */
export async function holdRun({ row }: Session, seq: number): Promise<Run | null> {
  const found = await row<RunRow>(`${RUN} WHERE e.seq = $1 AND e.status = 'ACTIVE' FOR NO KEY UPDATE`, [seq]);
  return found && runOfRow(found);
}

const runOfRow = (stored: RunRow): Run => runOf(stored, stored.waiting);

/**
 * The position of a run is written with every transition, because it may have passed several nodes since it was
 * read. A run that has ended keeps the time at which it was last due.
 */
const MOVE = `UPDATE enrollments AS e SET node = m.node, waiting = m.waiting, steps = m.steps,
    steps_since_wait = m.steps_since_wait, attempts = m.attempts, first_attempt_at = m.first_attempt_at,
    status = m.status, next_run_at = coalesce(m.next_run_at, e.next_run_at), completed_at = m.completed_at,
    error_message = m.error_message, problem = m.problem
  FROM jsonb_to_recordset($1::text::jsonb) AS m (seq int8, node text, waiting boolean, steps int4, steps_since_wait int4,
    attempts int4, first_attempt_at int8, status text, next_run_at int8, completed_at int8, error_message text, problem text)
  WHERE e.seq = ANY($2::int8[]) AND e.seq = m.seq AND e.status = 'ACTIVE'`;

/**
 * Writes the new positions of runs, each at most once. The transaction has locked them. A start that stays for a run
 * that is over has its turn.
 */
export async function writeMoves(tx: Session, moves: readonly RunMove[], now: number): Promise<void> {
  if (moves.length === 0) return;
  await tx.run(MOVE, [
    JSON.stringify(moves.map((move) => rowOf(move, now))),
    moves.map(({ run }) => run.seq),
  ]);
  const free = moves.filter((move) => endsStay(move, now));
  await callNext(
    tx,
    free.map(({ run }) => run),
    now,
  );
  const ended = moves.filter(({ kind }) => kind !== "stand");
  if (ended.length > 0)
    await tellEnrollments(
      tx,
      ended.map(({ kind, run }) => ({
        enrollment: run.seq,
        type: kind === "complete" ? "automation.completed" : "automation.failed",
        at: now,
      })),
    );
}

function rowOf(move: RunMove, now: number): object {
  const { seq, state, tries, problem } = move.run;
  const stands = {
    seq,
    node: state.currentNodeId,
    waiting: state.waiting,
    steps: state.steps,
    steps_since_wait: state.stepsSinceWait,
    attempts: tries.attempts,
    first_attempt_at: tries.firstAttemptAt,
  };
  switch (move.kind) {
    case "stand":
      return { ...stands, status: "ACTIVE", next_run_at: move.at, problem: problem && storableText(problem) };
    case "complete":
      return { ...stands, status: "COMPLETED", completed_at: now };
    case "fail":
      return {
        ...stands,
        status: "FAILED",
        completed_at: now,
        error_message: storableText(move.errorMessage),
      };
  }
}
