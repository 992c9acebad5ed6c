import type { Instant } from "./clock.ts";

const DATE_TIME =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Reads an ISO 8601 date-time in extended form (`2026-11-21T09:30:00Z`). Seconds and their fraction are
 * optional; digits finer than a millisecond are cut off. The offset is `Z`, `±hh`, `±hhmm` or `±hh:mm`;
 * without one the time is UTC (docs/decisions.md "Campaigns and sending"). Null for anything else: a date
 * alone, basic form, a day that the calendar does not have, hour 24, a leap second (epoch time has none), a time
 * whose offset takes it out of the years 0000 to 9999 in UTC (it would be shown as `+010000-…`).
 */
export function parseDateTime(text: string): Instant | null {
  const at = instantOf(text);
  return at === null || at < YEAR_0000 || at >= YEAR_10000 ? null : at;
}

function instantOf(text: string): Instant | null {
  const parts = DATE_TIME.exec(text)?.groups;
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = [
    parts.year,
    parts.month,
    parts.day,
    parts.hour,
    parts.minute,
    parts.second,
  ].map((digits) => Number(digits ?? 0)) as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offsetMs = parseOffset(parts.offset ?? "Z");
  if (offsetMs === null) return null;
  const millisecond = Number((parts.fraction ?? "").slice(0, 3).padEnd(3, "0"));
  return utc(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond - offsetMs;
}

/**
 * What a contact's text says, to be compared only: a date-time of any year in UTC, or a date alone (`2026-11-21`), which
 * is the start of its day in UTC. The databases read these texts in the same way.
 */
export function parseDateOrTime(text: string): Instant | null {
  return instantOf(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
}

function parseOffset(text: string): number | null {
  if (text.toUpperCase() === "Z") return 0;
  const hour = Number(text.slice(1, 3));
  const minute = Number(text.slice(3).replace(":", ""));
  if (hour > 23 || minute > 59) return null;
  return (text.startsWith("-") ? -1 : 1) * (hour * 60 + minute) * 60_000;
}

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999, so the year is set separately. */
function utc(year: number, month: number, day: number): Instant {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

const YEAR_0000 = utc(0, 1, 1);
const YEAR_10000 = utc(10_000, 1, 1);

const daysInMonth = (year: number, month: number): number => new Date(utc(year, month + 1, 0)).getUTCDate();
