/**
 * Runs many small steps in few transactions. Steps that arrive while others are running wait, and share the next
 * transaction, with its round trips and its commit. Each is answered after the commit.
 *
 * A round costs almost the same whatever its size. Callers that were just answered often ask again at once, as the
 * connections to a near relay do. So a round waits for them, but not longer than the previous round took. Otherwise
 * some of them would always ask while the others' round is running, and no round would have them all.
 */

import { systemClock, type Clock } from "#core/time/clock.ts";
import { shortestWait } from "./shortest-wait.ts";

/** While one round commits, another may begin: for a step that does not wait, or if enough steps have come. */
const ROUNDS_MAX = 2;
const ENOUGH_STEPS = 32;
/** More steps than this become several rounds. */
const STEPS_MAX = 256;
/** The longest time that a waiting step waits. */
const WAIT_MS = 10;

/**
 * `soon`: it may wait for the callers that were answered a moment ago. `later`: it begins no round for some
 * milliseconds, but shares the next.
 */
export type Haste = "now" | "soon" | "later";

type Asked<Step, Answer> = {
  readonly step: Step;
  readonly haste: Haste;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

type Options = {
  /** How many rounds may run at a time. With one, the steps run in the order in which they came. */
  readonly most?: number;
  readonly clock?: Pick<Clock, "monotonicMs" | "setTimer">;
};

/**
 * @param run performs steps in one transaction and returns one answer for each. If it throws, none of them is kept,
 * and each is tried again alone: so only those fail that cannot be performed.
 * @param isOfAll whether an error would occur for every step alone too
 * @returns performs a step
 */
export function gatheredRounds<Step, Answer>(
  run: (steps: readonly Step[]) => Promise<readonly Answer[]>,
  isOfAll: (error: unknown) => boolean,
  { most = ROUNDS_MAX, clock = systemClock }: Options = {},
): (step: Step, haste?: Haste) => Promise<Answer> {
  const waiting: Asked<Step, Answer>[] = [];
  const wait = shortestWait(clock, () => want());
  let underWay = 0;
  /** Whether a round must begin as soon as one may. */
  let isWanted = false;
  /** The number of `soon` steps when all callers answered last have asked again, and how long that may take. */
  let all = { steps: 0, until: 0 };

  const next = async (asked: readonly Asked<Step, Answer>[]): Promise<void> => {
    const begunMs = clock.monotonicMs();
    await perform(asked);
    const nowMs = clock.monotonicMs();
    underWay--;
    all = { steps: soonAmong(asked) + soonAmong(waiting), until: nowMs + Math.min(nowMs - begunMs, WAIT_MS) };
    begin();
    if (underWay === 0) gather();
  };
  const perform = async (asked: readonly Asked<Step, Answer>[]): Promise<void> => {
    try {
      const answers = await run(asked.map(({ step }) => step));
      for (const [i, { resolve }] of asked.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      if (asked.length === 1 || isOfAll(error)) for (const { reject } of asked) reject(error);
      else for (const one of asked) await perform([one]);
    }
  };
  const begin = (): void => {
    while (underWay < most && isWanted) {
      underWay++;
      const asked = waiting.splice(0, STEPS_MAX);
      isWanted = waiting.length > 0;
      wait.end();
      void next(asked);
    }
  };
  const want = (): void => {
    if (isWanted || waiting.length === 0) return;
    isWanted = true;
    // Steps of the same turn share a round.
    setImmediate(begin);
  };
  /** Begins a round, or waits for more steps. */
  const gather = (): void => {
    if (waiting.length === 0) return;
    const soon = soonAmong(waiting);
    const leftMs = all.until - clock.monotonicMs();
    if (soon === 0) wait.atMost(WAIT_MS);
    else if (soon >= all.steps || leftMs <= 0) want();
    else wait.atMost(leftMs);
  };

  return (step, haste = "now") =>
    new Promise((resolve, reject) => {
      waiting.push({ step, haste, resolve, reject });
      if (haste === "now" || waiting.length >= ENOUGH_STEPS) want();
      // Otherwise the round that is running does this at its end.
      else if (underWay === 0) gather();
    });
}

const soonAmong = (asked: readonly { readonly haste: Haste }[]): number =>
  asked.filter(({ haste }) => haste === "soon").length;
