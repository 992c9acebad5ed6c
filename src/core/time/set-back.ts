import type { Clock } from "./clock.ts";
import { MINUTE_MS } from "./time.ts";

/** Less than this is a small correction. */
const SET_BACK_MS = MINUTE_MS;

/** Whether the time of day was set back since this was asked last, against the clock that only runs forwards. */
export function watchForSetBack(clock: Pick<Clock, "now" | "monotonicMs">): () => boolean {
  let aheadMs = -Infinity;
  return () => {
    const before = aheadMs;
    aheadMs = clock.now() - clock.monotonicMs();
    return aheadMs < before - SET_BACK_MS;
  };
}
