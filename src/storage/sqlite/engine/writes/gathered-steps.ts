/**
 * Runs many small writes as one job of the write queue. Writes that arrive while the job waits join it: they
 * share its savepoint, its statements and its commit. They run in order of arrival and are answered together,
 * after the commit.
 */
import type { WriteQueue } from "./write-queue.ts";

/** How many turns of the event loop a step may wait to share another commit, if nobody waits for the step. */
const LINGER_TURNS = 16;

/** More steps than this become several jobs, since a job cannot be interrupted. */
export const STEPS_MAX = 256;

type Asked<Step, Answer> = {
  readonly step: Step;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/** Steps that are performed together. Until `isQueued` is true, more may join. */
type Batch<Step, Answer> = {
  readonly asked: Asked<Step, Answer>[];
  readonly stepsMax: number;
  isQueued: boolean;
};

/** Performs steps in a transaction of the queue and returns one answer for each. */
type Run<Step, Answer> = (steps: readonly Step[]) => readonly Answer[];

/**
 * @param run If it throws, none of the steps is kept, and each is tried again alone. So only those steps fail that
 * cannot be performed.
 * @param stepsMax how many steps may be one job, asked when the first comes
 */
export function gatheredSteps<Step, Answer>(
  writes: WriteQueue,
  run: Run<Step, Answer>,
  stepsMax: () => number = () => STEPS_MAX,
) {
  let open: Batch<Step, Answer> | null = null;
  /** Batches that are queued and not answered yet. */
  let underWay = 0;

  const close = (batch: Batch<Step, Answer>): void => {
    if (open === batch) open = null;
  };
  const queue = (batch: Batch<Step, Answer>): void => {
    if (batch.isQueued) return;
    batch.isQueued = true;
    underWay++;
    void perform(writes, run, batch, () => close(batch)).finally(() => underWay--);
  };

  const add = (step: Step): { batch: Batch<Step, Answer>; answer: Promise<Answer> } => {
    const batch = (open ??= { asked: [], stepsMax: stepsMax(), isQueued: false });
    const answer = new Promise<Answer>((resolve, reject) => batch.asked.push({ step, resolve, reject }));
    if (batch.asked.length >= batch.stepsMax) {
      close(batch);
      queue(batch);
    }
    return { batch, answer };
  };

  const linger = (batch: Batch<Step, Answer>, turnsLeft: number): void => {
    if (open !== batch) return;
    if (turnsLeft === 0) queue(batch);
    else setImmediate(linger, batch, turnsLeft - 1);
  };

  return {
    /** For a step that somebody waits for: resolves when it is durable. */
    now(step: Step): Promise<Answer> {
      const { batch, answer } = add(step);
      queue(batch);
      return answer;
    },

    /**
     * Like `now`, but may wait a fraction of a millisecond to share a commit. With `isLast` no other step is
     * coming, and it waits only if a commit is in progress: callers answered by it may come at once with the next
     * step.
     */
    soon(step: Step, isLast = false): Promise<Answer> {
      const isFirst = open === null;
      const { batch, answer } = add(step);
      if (isLast && underWay === 0) queue(batch);
      else if (isFirst) linger(batch, LINGER_TURNS);
      return answer;
    },
  };
}

/** @param close is called when it is too late for more steps to join */
function perform<Step, Answer>(
  writes: WriteQueue,
  run: Run<Step, Answer>,
  { asked }: Batch<Step, Answer>,
  close: () => void,
): Promise<void> {
  const alone = ({ step, resolve, reject }: Asked<Step, Answer>): void => {
    writes
      .write(() => ({ all: run([step]) }))
      .then(({ all }) => all.forEach((answer) => resolve(answer)), reject);
  };
  const answers = writes.write(() => {
    close();
    return { all: run(asked.map(({ step }) => step)) };
  });
  return answers.then(
    ({ all }) => all.forEach((answer, i) => asked[i]?.resolve(answer)),
    (error: unknown) => {
      close();
      if (asked.length > 1) asked.forEach(alone);
      else for (const { reject } of asked) reject(error);
    },
  );
}

/** Steps that each belong to one workspace, gathered separately for each workspace. */
export function gatheredByWorkspace<Step, Answer>(
  writes: WriteQueue,
  run: (workspace: number, steps: readonly Step[]) => readonly Answer[],
  stepsMax: (workspace: number) => number,
) {
  const known = new Map<number, ReturnType<typeof gatheredSteps<Step, Answer>>>();
  return {
    of(workspace: number) {
      const gathered =
        known.get(workspace) ??
        gatheredSteps(
          writes,
          (steps: readonly Step[]) => run(workspace, steps),
          () => stepsMax(workspace),
        );
      known.set(workspace, gathered);
      return gathered;
    },
  };
}
