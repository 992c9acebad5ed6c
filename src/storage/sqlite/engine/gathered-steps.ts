/**
 * Runs many small writes as one job of the write queue: those that arrive while the job waits share its
 * savepoint, its statements and its commit. They run in order of arrival and are answered together, after the
 * commit.
 */
import type { WriteQueue } from "./write-queue.ts";

/**
 * For how many turns of the event loop a step that nobody waits for is delayed, so that it can share another
 * commit.
 */
const LINGER_TURNS = 16;

/** More steps than this become several jobs, since a job cannot be interrupted. */
const STEPS_MAX = 256;

type Asked<Step, Answer> = {
  readonly step: Step;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/**
 * @param run Performs steps in a transaction of the queue and returns one answer for each. When it throws,
 * none of them is kept, and each is tried again alone, so that only the steps that cannot be performed fail.
 */
export function gatheredSteps<Step, Answer>(
  writes: WriteQueue,
  run: (steps: readonly Step[]) => readonly Answer[],
) {
  type Batch = { readonly asked: Asked<Step, Answer>[]; isQueued: boolean };
  let open: Batch | null = null;

  const close = (batch: Batch): void => {
    if (open === batch) open = null;
  };
  const alone = ({ step, resolve, reject }: Asked<Step, Answer>): void => {
    writes
      .write(() => ({ all: run([step]) }))
      .then(({ all }) => all.forEach((answer) => resolve(answer)), reject);
  };
  const fail = ({ asked }: Batch, error: unknown): void => {
    if (asked.length > 1) asked.forEach(alone);
    else for (const { reject } of asked) reject(error);
  };

  const queue = (batch: Batch): void => {
    if (batch.isQueued) return;
    batch.isQueued = true;
    const answers = writes.write(() => {
      close(batch);
      return { all: run(batch.asked.map(({ step }) => step)) };
    });
    answers.then(
      ({ all }) => all.forEach((answer, i) => batch.asked[i]?.resolve(answer)),
      (error: unknown) => {
        close(batch);
        fail(batch, error);
      },
    );
  };

  const add = (step: Step): { batch: Batch; answer: Promise<Answer> } => {
    const batch = (open ??= { asked: [], isQueued: false });
    const answer = new Promise<Answer>((resolve, reject) => batch.asked.push({ step, resolve, reject }));
    if (batch.asked.length === STEPS_MAX) {
      close(batch);
      queue(batch);
    }
    return { batch, answer };
  };

  const linger = (batch: Batch, turnsLeft: number): void => {
    if (open !== batch) return;
    if (turnsLeft === 0) queue(batch);
    else setImmediate(linger, batch, turnsLeft - 1);
  };

  return {
    /** For a step that somebody waits for: resolves once it is durable. */
    now(step: Step): Promise<Answer> {
      const { batch, answer } = add(step);
      queue(batch);
      return answer;
    },

    /** Like `now`, but may wait a fraction of a millisecond to share a commit. */
    soon(step: Step): Promise<Answer> {
      const isFirst = open === null;
      const { batch, answer } = add(step);
      if (isFirst) linger(batch, LINGER_TURNS);
      return answer;
    },
  };
}

/** Steps that touch one workspace each, gathered separately for each workspace. */
export function gatheredByWorkspace<Step, Answer>(
  writes: WriteQueue,
  run: (workspace: number, steps: readonly Step[]) => readonly Answer[],
) {
  const known = new Map<number, ReturnType<typeof gatheredSteps<Step, Answer>>>();
  return {
    of(workspace: number) {
      const gathered =
        known.get(workspace) ?? gatheredSteps(writes, (steps: readonly Step[]) => run(workspace, steps));
      known.set(workspace, gathered);
      return gathered;
    },
  };
}
