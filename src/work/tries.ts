import { putLast } from "#core/remembered.ts";
import type { Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { RefusedForNow } from "./pool.ts";

/** How often something is asked for that is refused for now each time: what really needs too much memory must end. */
export const TRIES_MAX = 3;
/** The pause between two tries. */
export const TRY_AGAIN_MS = MINUTE_MS;

/** `isLast`: a refusal for now counts like any other. @throws RefusedForNow */
type Ask<T> = (isLast: boolean) => Promise<T>;

type Tries<Key> = <T>(key: Key, ask: Ask<T>) => Promise<T>;

type Kept = {
  readonly clock: Clock;
  /** How many keys are remembered. The tries of one that was forgotten begin anew. */
  readonly keysMax: number;
  readonly pauseMs?: number;
};

/** Counts the tries of each key. Before its pause is over nothing is asked, and the last refusal is thrown again. */
export function inTries<Key>({ clock, keysMax, pauseMs = TRY_AGAIN_MS }: Kept): Tries<Key> {
  const tried = new Map<Key, { times: number; error: RefusedForNow; againMs: number }>();
  return async (key, ask) => {
    const last = tried.get(key);
    if (last !== undefined && clock.monotonicMs() < last.againMs) throw last.error;
    const times = (last?.times ?? 0) + 1;
    try {
      const done = await ask(times >= TRIES_MAX);
      tried.delete(key);
      return done;
    } catch (error) {
      if (error instanceof RefusedForNow)
        putLast(tried, key, { times, error, againMs: clock.monotonicMs() + pauseMs }, keysMax);
      throw error;
    }
  };
}
