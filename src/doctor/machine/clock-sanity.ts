import { isoOf } from "#core/time/iso.ts";
import type { Instant } from "#core/time/clock.ts";
import { about, fail, ok, type Finding } from "#doctor/finding.ts";

/** No version of Postrider is older. A clock that shows an earlier time was never set. */
const FIRST_RELEASE_AT = Date.UTC(2026, 0, 1);
/** Tolerates the difference between two machines' clocks, or a clock that was just corrected. */
const STEP_MS = 60_000;

/** Synchronized clocks differ by less, but a busy server takes a moment to answer. */
const APART_MS = 10_000;

/**
 * @param lastRunAt when a server last started on this database; null if none has
 * @param serverNow what the database's own clock says; null where it has none
 */
export function checkClock(
  now: Instant,
  lastRunAt: Instant | null,
  serverNow: Instant | null = null,
): Finding {
  const check = about("clock");
  const shown = isoOf(now);
  const advice = "set the clock (timedatectl set-ntp true): schedules, quiet hours and limits go by it";
  if (now < FIRST_RELEASE_AT)
    return fail(check, `it says ${shown}, which is before this program was made`, advice);
  if (serverNow !== null && Math.abs(now - serverNow) > APART_MS)
    return fail(
      check,
      `it says ${shown}, and the database's ${isoOf(serverNow)}`,
      "set the clocks (timedatectl set-ntp true): schedules, quiet hours and limits go by them",
    );
  if (lastRunAt !== null && now < lastRunAt - STEP_MS)
    return fail(check, `it says ${shown}, but the server last started at ${isoOf(lastRunAt)}`, advice);
  return ok(check, shown);
}
