import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#core/time/time.ts";

/** How many messages went out in the minute that begins at `at`. */
type MinuteCount = { readonly at: Instant; readonly n: number };

/** The minutes of the last hour in which something went out, the oldest first unless the clock was set back. */
export type HourCount = readonly MinuteCount[];

export const minuteOf = (now: Instant): Instant => now - (now % MINUTE_MS);

/** The first minute that may reach into the hour before `now`. */
export const hourBegins = (now: Instant): Instant => minuteOf(now) - HOUR_MS;

/**
 * A minute counts until an hour after its end, so that no hour has more than the limit. A minute of the
 * next hour was counted before the clock was set back a little, and counts too. One that is further ahead does not:
 * nobody knows when it was, and it would hold mail back for as long.
 */
const counts = ({ at }: MinuteCount, now: Instant): boolean =>
  at + MINUTE_MS + HOUR_MS > now && at <= now + HOUR_MS;

/** Counts one more message. */
export function countOne(count: HourCount, now: Instant): HourCount {
  const at = minuteOf(now);
  const recent = count.filter((one) => counts(one, now) && one.at !== at);
  const n = count.find((one) => one.at === at)?.n ?? 0;
  return [...recent, { at, n: n + 1 }];
}

/** How many went out in the hour before `now`. */
export const sentInHour = (count: HourCount, now: Instant): number =>
  count.reduce((sum, one) => sum + (counts(one, now) ? one.n : 0), 0);

/** When the hour before has fewer than `limit` messages again; null: it has fewer now. */
export function roomAt(count: HourCount, limit: number, now: Instant): Instant | null {
  let left = sentInHour(count, now);
  if (left < limit) return null;
  for (const one of count.toSorted((a, b) => a.at - b.at)) {
    if (!counts(one, now)) continue;
    left -= one.n;
    if (left < limit) return one.at + MINUTE_MS + HOUR_MS;
  }
  return null;
}
