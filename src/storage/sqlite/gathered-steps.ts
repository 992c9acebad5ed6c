/**
 * Many small writes as one job of the write queue: those that arrive while it waits share its savepoint, its statements and
 * its commit. They run in the order they came in and are answered together, after the commit.
 */
import type { WriteQueue } from "./write-queue.ts";

/** How many turns of the event loop a step that nobody waits for lingers, for another one's commit to serve it too. */
const LINGER_TURNS = 40;

type Batch<Step, Answer> = {
  readonly steps: Step[];
  readonly answers: Promise<readonly Answer[]>;
  go(): void;
};

/**
 * @param run Carries out steps in a transaction of the queue and gives one answer for each. When it throws, nothing of them is
 * kept, and each is tried again by itself, so that one that cannot be carried out fails alone.
 */
export function gatheredSteps<Step, Answer>(
  writes: WriteQueue,
  run: (steps: readonly Step[]) => readonly Answer[],
) {
  let open: Batch<Step, Answer> | null = null;

  const newBatch = (): Batch<Step, Answer> => {
    const steps: Step[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const close = (): void => {
      if (open === batch) open = null;
    };
    const answers = promise.then(() =>
      writes.write(() => {
        close();
        return { answers: run(steps) };
      }),
    );
    const batch = { steps, answers: answers.then(({ answers: all }) => all).finally(close), go: resolve };
    return batch;
  };

  const linger = (batch: Batch<Step, Answer>, turnsLeft: number): void => {
    if (open !== batch) return;
    if (turnsLeft === 0) batch.go();
    else setImmediate(linger, batch, turnsLeft - 1);
  };
  const answerOf = async ({ steps, answers }: Batch<Step, Answer>, index: number): Promise<Answer> => {
    try {
      return (await answers)[index]!;
    } catch (error) {
      if (steps.length === 1) throw error;
      return (await writes.write(() => ({ alone: run([steps[index]!]) }))).alone[0]!;
    }
  };

  const add = (step: Step): { batch: Batch<Step, Answer>; index: number } => {
    open ??= newBatch();
    return { batch: open, index: open.steps.push(step) - 1 };
  };

  return {
    /** For what somebody waits for: resolves once it is durable. */
    now(step: Step): Promise<Answer> {
      const { batch, index } = add(step);
      batch.go();
      return answerOf(batch, index);
    },

    /** Like `now`, but may wait a fraction of a millisecond for others. */
    soon(step: Step): Promise<Answer> {
      const isFirst = open === null;
      const { batch, index } = add(step);
      if (isFirst) linger(batch, LINGER_TURNS);
      return answerOf(batch, index);
    },
  };
}
