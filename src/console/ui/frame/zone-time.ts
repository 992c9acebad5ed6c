/** Converts between the wall time of a time zone and an instant. */

/** For a zone: how far it is ahead of UTC at an instant, in milliseconds. */
function offsetsOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
    // `Date.UTC` takes the years 0 to 99, which stand in a field while a year is typed, for 1900 to 1999.
    const day = new Date(0).setUTCFullYear(part("year"), part("month") - 1, part("day"));
    const wall = day + ((part("hour") * 60 + part("minute")) * 60 + part("second")) * 1000;
    return wall - Math.floor(at / 1000) * 1000;
  };
}

/**
 * The instant at which clocks of the zone show this. A time that summer time skips counts as an hour later; of a
 * time that comes twice, it is the first.
 * @param wall `2026-11-22T09:30`; null for anything else
 */
export function instantOf(wall: string, zone: string): Date | null {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? Date.parse(`${wall}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = offsetsOf(zone);
  const early = asUtc - offsetAt(asUtc - 86_400_000);
  if (early + offsetAt(early) === asUtc) return new Date(early);
  const late = asUtc - offsetAt(asUtc + 86_400_000);
  return new Date(late + offsetAt(late) === asUtc ? late : early);
}

/** What clocks of the zone show at an instant, to the minute: `2026-11-22T09:30`. */
export const wallOf = (at: Date, zone: string): string => wallsOf(zone)(at);

/** The same for many instants. */
export function wallsOf(zone: string): (at: Date) => string {
  const offsetAt = offsetsOf(zone);
  return (at) => new Date(at.getTime() + offsetAt(at.getTime())).toISOString().slice(0, 16);
}

/** Whether a wall time is within quiet hours (`22:00-07:00`, over midnight too). */
export function isQuiet(wall: string, quietHours: string | null): boolean {
  const [from, to] = quietHours?.split("-").map((time) => time.trim()) ?? [];
  if (from === undefined || to === undefined) return false;
  const time = wall.slice(11, 16);
  return from < to ? time >= from && time < to : time >= from || time < to;
}
