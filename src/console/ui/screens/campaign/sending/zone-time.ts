/** Converts between the wall time of a time zone and an instant. */

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
function offsetOf(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(at / 1000) * 1000;
}

/**
 * The instant at which clocks of the zone show this. A time that summer time skips counts as an hour later; of a
 * time that comes twice, it is the first.
 * @param wall `2026-11-22T09:30`; null for anything else
 */
export function instantOf(wall: string, zone: string): Date | null {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) ? Date.parse(`${wall}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const early = asUtc - offsetOf(zone, asUtc - 86_400_000);
  if (early + offsetOf(zone, early) === asUtc) return new Date(early);
  const late = asUtc - offsetOf(zone, asUtc + 86_400_000);
  return new Date(late + offsetOf(zone, late) === asUtc ? late : early);
}

/** What clocks of the zone show at an instant, to the minute: `2026-11-22T09:30`. */
export const wallOf = (at: Date, zone: string): string =>
  new Date(at.getTime() + offsetOf(zone, at.getTime())).toISOString().slice(0, 16);

/** Whether a wall time is within quiet hours (`22:00-07:00`, over midnight too). */
export function isQuiet(wall: string, quietHours: string | null): boolean {
  const [from, to] = quietHours?.split("-").map((time) => time.trim()) ?? [];
  if (from === undefined || to === undefined) return false;
  const time = wall.slice(11, 16);
  return from < to ? time >= from && time < to : time >= from || time < to;
}
