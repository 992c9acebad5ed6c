import type { Clock } from "#core/time/clock.ts";
import { tooOften } from "#core/time/too-often.ts";
import type { Fields, Log } from "#log.ts";

/** After this many failed threads within this time, something is wrong with threads on this machine. */
const FAILURES = { most: 3, withinMs: 10 * 60_000 };

export type FailedThreads = {
  /** Threads failed again and again: none is started until the process ends. */
  readonly areGivenUp: boolean;
  /** Another thread failed. */
  add(reason: string, fields?: Fields): void;
};

/** Counts the threads of one kind that failed. `words`: what is logged of one, and when they are given up. */
export function failedThreads(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  words: { readonly one: string; readonly tooMany: string },
): FailedThreads {
  const isTooOften = tooOften(clock, FAILURES);
  let areGivenUp = false;
  return {
    get areGivenUp() {
      return areGivenUp;
    },
    add(reason, fields = {}) {
      log.error(words.one, { reason, ...fields });
      if (!isTooOften() || areGivenUp) return;
      areGivenUp = true;
      log.error(words.tooMany);
    },
  };
}
