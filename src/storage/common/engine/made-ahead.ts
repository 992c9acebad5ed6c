import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";

/** What says that it was made after this was made while the clock was ahead: no clock of another server is so far ahead. */
export const aheadOf = (now: Instant): Instant => now + HOUR_MS;
