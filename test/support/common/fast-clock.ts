import { systemClock, type Clock, type Instant } from "#core/time/clock.ts";

const TIMES = 60;

/**
 * A clock on which a minute takes a second. It shows `base` at the machine's instant `base`. Durations and
 * timers are real.
 */
export function fastClock(base: Instant): Clock {
  return { ...systemClock, now: () => Math.floor(base + (systemClock.now() - base) * TIMES) };
}
