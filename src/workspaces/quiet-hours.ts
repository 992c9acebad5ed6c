import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#core/time/time.ts";
import { clockChangeBetween, localTime, nextMinuteAt, utcOffsetMs } from "./local-time.ts";

/**
 * A daily window in which no campaign starts, in minutes of the workspace's local time: from `fromMinute` up
 * to, but not including, `toMinute`. It crosses midnight if `toMinute` is smaller. Two equal values would be
 * an empty window; the settings refuse them.
 */
export type QuietHours = { readonly fromMinute: number; readonly toMinute: number };

const DAY_MINUTES = 24 * 60;

/**
 * Whether local time in `zone` shows a quiet minute at `at`. Only what the clock shows counts. When daylight
 * saving ends, the hour that comes twice is judged the same both times. `null` means no quiet hours.
 */
export function isQuiet(at: Instant, quietHours: QuietHours | null, zone: string): boolean {
  return quietHours !== null && isQuietMinute(localTime(at, zone).minuteOfDay, quietHours);
}

function isQuietMinute(minute: number, { fromMinute, toMinute }: QuietHours): boolean {
  if (fromMinute <= toMinute) return fromMinute <= minute && minute < toMinute;
  return minute >= fromMinute || minute < toMinute;
}

/**
 * The first instant from `at` on that is not quiet; `null` if `at` itself is not quiet. Exact across clock
 * changes: a jump out of the window ends it at that moment, and a jump back into it makes it longer.
 *
 * Goes from clock change to clock change, in steps of at most the window's length. Two changes of one zone
 * that cancel out within the same hour would be missed; no zone has had them.
 */
export function quietUntil(at: Instant, quietHours: QuietHours | null, zone: string): Instant | null {
  if (quietHours === null || !isQuiet(at, quietHours, zone)) return null;
  let end = at;
  while (isQuiet(end, quietHours, zone)) {
    const planned = endByThisClock(end, quietHours, zone);
    end = firstClockChange(end, planned, zone) ?? planned;
  }
  return end;
}

type Window = { readonly quietHours: QuietHours | null; readonly timezone: string };

/**
 * Until when something is held that must be looked at again, because its quiet hours were changed to others; null:
 * nothing is.
 */
export function heldWronglyUntil(before: Window, after: Window, now: Instant): Instant | null {
  const heldUntil = quietUntil(now, before.quietHours, before.timezone);
  return heldUntil === quietUntil(now, after.quietHours, after.timezone) ? null : heldUntil;
}

/** When the window ends if the clock does not change. */
function endByThisClock(at: Instant, { toMinute }: QuietHours, zone: string): Instant {
  const minutesLeft = (toMinute - localTime(at, zone).minuteOfDay + DAY_MINUTES) % DAY_MINUTES;
  return nextMinuteAt(at, zone) + (minutesLeft - 1) * MINUTE_MS;
}

/** The first instant in (from, to] whose offset differs from the one before it. */
function firstClockChange(from: Instant, to: Instant, zone: string): Instant | null {
  const offset = utcOffsetMs(from, zone);
  for (let before = from; before < to; before += HOUR_MS) {
    const after = Math.min(before + HOUR_MS, to);
    if (utcOffsetMs(after, zone) !== offset) return clockChangeBetween(before, after, zone);
  }
  return null;
}
