import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#core/time/time.ts";

/** What a clock in a zone shows. `day` and `month` also name the periods that a cap or a limit counts in. */
export type LocalTime = {
  /** `2026-11-21` */
  readonly day: string;
  /** `2026-11` */
  readonly month: string;
  /** 0 to 1439 */
  readonly minuteOfDay: number;
};

/**
 * Kept, because building a formatter takes far longer than using it. Zones are checked before they are
 * stored, so this map stays small.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * The local time in an IANA zone at an instant.
 * @throws RangeError for a zone that does not exist
 */
export function localTime(at: Instant, zone: string): LocalTime {
  const { year, month, day, hour, minute } = wallClock(at, zone);
  return {
    day: `${year}-${month}-${day}`,
    month: `${year}-${month}`,
    minuteOfDay: Number(hour) * 60 + Number(minute),
  };
}

/** How far the zone's local time is ahead of UTC at an instant, to the second. */
export function utcOffsetMs(at: Instant, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(at, zone);
  const shown = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return shown - Math.floor(at / 1000) * 1000;
}

/** The next instant at which the minute of local time changes, unless a clock change comes first. */
export function nextMinuteAt(at: Instant, zone: string): Instant {
  const sinceMinuteMs = (((at + utcOffsetMs(at, zone)) % MINUTE_MS) + MINUTE_MS) % MINUTE_MS;
  return at - sinceMinuteMs + MINUTE_MS;
}

/**
 * The first instant after a clock change between two instants with different offsets. Found by halving the
 * interval, to the millisecond.
 */
export function clockChangeBetween(before: Instant, after: Instant, zone: string): Instant {
  const offset = utcOffsetMs(before, zone);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (utcOffsetMs(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return after;
}

type Part = "year" | "month" | "day" | "hour" | "minute" | "second";

function wallClock(at: Instant, zone: string): Record<Part, string> {
  const shown = { year: "", month: "", day: "", hour: "", minute: "", second: "" };
  for (const { type, value } of formatter(zone).formatToParts(at)) {
    if (type in shown) shown[type as Part] = value;
  }
  return shown;
}

function formatter(zone: string): Intl.DateTimeFormat {
  let made = formatters.get(zone);
  if (!made) formatters.set(zone, (made = buildFormatter(zone)));
  return made;
}

function buildFormatter(zone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
}

/** The first instant of the local day of `at`. */
export function dayStart(at: Instant, zone: string): Instant {
  const offset = utcOffsetMs(at, zone);
  const { day } = localTime(at, zone);
  const midnight = at - modulo(at + offset, DAY_MS);
  const isFirst = utcOffsetMs(midnight, zone) === offset && localTime(midnight - 1, zone).day < day;
  if (isFirst) return midnight;
  let [before, after] = [midnight - DAY_MS, at];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localTime(middle, zone).day < day) before = middle;
    else after = middle;
  }
  return after;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
