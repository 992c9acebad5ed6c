import { systemClock, type Clock, type Instant } from "#core/clock.ts";

const TIMES = 60;

/**
 * A minute of it is a second. It shows `base` at that very instant of the machine's clock; durations and
 * timers are real.
 */
export function fastClock(base: Instant): Clock {
  return { ...systemClock, now: () => Math.floor(base + (systemClock.now() - base) * TIMES) };
}
