/**
 * Runs many small steps as few transactions. Steps that arrive while others are under way wait for each other and
 * share the next transaction, with its round trips and its commit. Each is answered after the commit.
 */

import { systemClock } from "#core/clock.ts";

/** While one round commits, another is already asked for; more of them would only share less. */
const ROUNDS_MAX = 2;
/** More steps than this become several rounds. */
const STEPS_MAX = 256;
/** A step that may wait, waits so long for one that may not. */
const WAIT_MS = 10;

type Asked<Step, Answer> = {
  readonly step: Step;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/**
 * @param run performs steps in one transaction and returns one answer for each. If it throws, none of them is kept,
 * and each is tried again alone: so only those that cannot be performed fail.
 * @param isOfAll whether an error would meet every step alone too
 * @param most so many rounds at a time; with one, the steps are performed in the order in which they came
 * @returns performs a step; one that `mayWait` begins no round for some milliseconds, but shares the next
 */
export function gatheredRounds<Step, Answer>(
  run: (steps: readonly Step[]) => Promise<readonly Answer[]>,
  isOfAll: (error: unknown) => boolean,
  most = ROUNDS_MAX,
): (step: Step, mayWait?: boolean) => Promise<Answer> {
  const waiting: Asked<Step, Answer>[] = [];
  let underWay = 0;
  /** Whether a round is to begin as soon as one may. */
  let isWanted = false;
  /** Ends the wait of steps that may wait. */
  let endWait: (() => void) | null = null;

  const perform = async (asked: readonly Asked<Step, Answer>[]): Promise<void> => {
    try {
      const answers = await run(asked.map(({ step }) => step));
      for (const [i, { resolve }] of asked.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      if (asked.length === 1 || isOfAll(error)) for (const { reject } of asked) reject(error);
      else for (const one of asked) await perform([one]);
    }
  };

  const next = async (asked: readonly Asked<Step, Answer>[]): Promise<void> => {
    await perform(asked);
    underWay--;
    begin();
  };

  const begin = (): void => {
    while (underWay < most && isWanted) {
      underWay++;
      const asked = waiting.splice(0, STEPS_MAX);
      isWanted = waiting.length > 0;
      endWait?.();
      endWait = null;
      void next(asked);
    }
  };
  const want = (): void => {
    if (isWanted) return;
    isWanted = true;
    // Steps of the same turn share a round.
    setImmediate(begin);
  };

  return (step, mayWait = false) =>
    new Promise((resolve, reject) => {
      waiting.push({ step, resolve, reject });
      if (!mayWait) want();
      else if (!isWanted) endWait ??= systemClock.setTimer(WAIT_MS, want);
    });
}
