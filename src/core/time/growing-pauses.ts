import { putLast } from "#core/remembered.ts";
import type { Clock } from "./clock.ts";
import { MINUTE_MS } from "./time.ts";

const FIRST_PAUSE_MS = 1_000;

type Failure<Why> = { readonly why: Why; readonly pauseMs: number; readonly againMs: number };

/**
 * Pauses between the tries of what a fault of ours stops, one for each key: from a second up to a minute. The fault may
 * be mended, so nothing is given up. But it may stay too, and then a try at each look for work would cost much, fill
 * the log and tell nobody.
 *
 * @param keysMax how many failures are remembered. The pauses of one that was forgotten begin anew.
 */
export function growingPauses<Key, Why>(clock: Pick<Clock, "monotonicMs">, keysMax: number) {
  const failures = new Map<Key, Failure<Why>>();
  return {
    /** Whether the pause after its last try is not over. */
    isPausing: (key: Key): boolean => clock.monotonicMs() < (failures.get(key)?.againMs ?? 0),

    /** Why its last try failed; null: nothing was wrong. */
    why: (key: Key): Why | null => failures.get(key)?.why ?? null,

    /** @param firstPauseMs the shortest pause */
    failed(key: Key, why: Why, firstPauseMs = FIRST_PAUSE_MS): void {
      const before = failures.get(key);
      const pauseMs = Math.max(firstPauseMs, Math.min(MINUTE_MS, 2 * (before?.pauseMs ?? 0)));
      putLast(failures, key, { why, pauseMs, againMs: clock.monotonicMs() + pauseMs }, keysMax);
    },

    succeeded: (key: Key): void => void failures.delete(key),

    /** Forgets the failures of all others. */
    only(keys: ReadonlySet<Key>): void {
      for (const key of failures.keys()) if (!keys.has(key)) failures.delete(key);
    },
  };
}
