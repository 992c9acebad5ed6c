import type { Instant } from "#core/time/clock.ts";
import { parseDateTime } from "#core/time/date-time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/time/time.ts";
import { utcOffsetMs } from "#workspaces/local-time.ts";
import type { Wait, WaitUnit } from "./flow-step.ts";
import { read, unreadable, type Data, type Reading } from "#core/request/reading.ts";

const DAYS_MAX = 3650;

const UNIT_MS: Readonly<Record<WaitUnit, number>> = {
  minutes: MINUTE_MS,
  hours: HOUR_MS,
  days: DAY_MS,
  weeks: 7 * DAY_MS,
};

/**
 * Reads `{ amount, unit }` (a whole amount from 1 up to 3,650 days) or `{ until }` (an ISO 8601 date-time;
 * without an offset it is UTC).
 */
export function readWait(data: Data): Reading<Wait> {
  if (data.until !== undefined && data.until !== null) return readUntil(data.until);
  const { amount, unit } = data;
  if (!isUnit(unit)) return unreadable("data.unit", "`unit` must be `minutes`, `hours`, `days` or `weeks`.");
  const max = (DAYS_MAX * DAY_MS) / UNIT_MS[unit];
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 1 || amount > max)
    return unreadable(
      "data.amount",
      `\`amount\` must be a whole number from 1 to ${Math.floor(max)} ${unit}.`,
    );
  return read({ kind: "for", amount, unit });
}

const isUnit = (value: unknown): value is WaitUnit =>
  typeof value === "string" && Object.hasOwn(UNIT_MS, value);

function readUntil(until: unknown): Reading<Wait> {
  const at = typeof until === "string" ? parseDateTime(until.trim()) : null;
  return at === null
    ? unreadable("data.until", "`until` must be a date and time like 2026-11-21T09:30:00Z.")
    : read({ kind: "until", at });
}

/**
 * When a wait that begins at `now` is over. Minutes and hours are exact spans. Days and weeks are calendar days in
 * `zone`: a wait that begins at 09:00 ends at 09:00, also after a clock change. If the clock skips that time, the
 * wait ends later by the skipped span; if the clock shows it twice, at the first. An `until` in the past is over at
 * once: the result may lie before `now`.
 */
export function waitEndsAt(wait: Wait, now: Instant, zone: string): Instant {
  const known = answered.get(wait);
  if (known?.now === now && known.zone === zone) return known.endsAt;
  const endsAt = endOf(wait, now, zone);
  answered.set(wait, { now, zone, endsAt });
  return endsAt;
}

/**
 * The latest answer for each wait: many runs begin a wait at the same instant, and computing the zone's time
 * is slow.
 */
const answered = new WeakMap<Wait, { now: Instant; zone: string; endsAt: Instant }>();

function endOf(wait: Wait, now: Instant, zone: string): Instant {
  if (wait.kind === "until") return wait.at;
  const spanMs = wait.amount * UNIT_MS[wait.unit];
  const isCalendar = wait.unit === "days" || wait.unit === "weeks";
  return isCalendar ? instantShowing(now + utcOffsetMs(now, zone) + spanMs, zone) : now + spanMs;
}

/** The instant at which the zone's wall clock shows `shown`, which is given as if that clock were UTC. */
function instantShowing(shown: number, zone: string): Instant {
  const before = shown - utcOffsetMs(shown - DAY_MS, zone);
  const after = shown - utcOffsetMs(shown + DAY_MS, zone);
  const isShownAt = (at: Instant): boolean => at + utcOffsetMs(at, zone) === shown;
  return isShownAt(before) || !isShownAt(after) ? before : after;
}
