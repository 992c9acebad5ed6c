import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import { clockChangeBetween, dayStart, utcOffsetMs } from "#workspaces/local-time.ts";

export const STEPS = ["hour", "day"] as const;
export type Step = (typeof STEPS)[number];

export type Range = { readonly from: Instant; readonly to: Instant };

/** No step is longer: a day with a clock change has 25 hours, an hour with one of half an hour 90 minutes. */
const LONGEST_MS: Readonly<Record<Step, number>> = { hour: 2 * HOUR_MS, day: 26 * HOUR_MS };

/**
 * Where the steps of a range begin, and where the last one ends. The first begins at or before `from`, the
 * last contains the instant before `to`; all are whole. A day is a calendar day of the zone, so it has 23 or
 * 25 hours when the clock changes. An hour begins when the clock shows a full hour, and when the clock
 * changes. Null: there are more than `max`.
 */
export function stepBounds({ from, to }: Range, step: Step, zone: string, max: number): Instant[] | null {
  if (to - from > max * LONGEST_MS[step]) return null;
  const bounds = firstBounds({ from, to }, step, zone, max + 1);
  return bounds.length > max + 1 ? null : bounds;
}

/** The same, of the first `max` steps only where there are more. */
export function firstBounds({ from, to }: Range, step: Step, zone: string, max: number): Instant[] {
  const next = step === "day" ? nextDay : nextHour;
  const bounds = [step === "day" ? dayStart(from, zone) : hourStart(from, zone)];
  for (let start = bounds[0] ?? from; start < to && bounds.length <= max;) {
    start = next(start, zone);
    bounds.push(start);
  }
  return bounds;
}

/** A day and a half after the start of a day is always in the next day. */
const nextDay = (start: Instant, zone: string): Instant => dayStart(start + 1.5 * DAY_MS, zone);

/** Where the hour of `at` began: on the clock's last full hour, or at a change since then. */
function hourStart(at: Instant, zone: string): Instant {
  const offset = utcOffsetMs(at, zone);
  const full = at - modulo(at + offset, HOUR_MS);
  return utcOffsetMs(full, zone) === offset ? full : clockChangeBetween(full, at, zone);
}

function nextHour(start: Instant, zone: string): Instant {
  const offset = utcOffsetMs(start, zone);
  const full = start - modulo(start + offset, HOUR_MS) + HOUR_MS;
  return utcOffsetMs(full, zone) === offset ? full : clockChangeBetween(start, full, zone);
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
