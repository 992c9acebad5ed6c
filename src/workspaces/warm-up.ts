import { DAY_MS } from "#core/time/time.ts";

/**
 * The first days of a new address or domain: a number of campaign messages on the first day, and some per
 * cent more each day, until the days are over. Mailbox providers do not trust a new sender who begins with a
 * hundred thousand.
 */
export type WarmUp = {
  readonly start: number;
  readonly growthPercent: number;
  readonly days: number;
  /** The first day, in the workspace's time zone: `2026-12-01`. */
  readonly from: string;
};

const DAYS_MAX = 365;
const START_MAX = 1_000_000;
const GROWTH_MAX = 500;

const FORM = /^([0-9]{1,7}) ([0-9]{1,3})% ([0-9]{1,3}) ([0-9]{4}-[0-9]{2}-[0-9]{2})$/;

/** Reads `200 30% 21 2026-12-01`: 200 messages on that day, 30 % more each day, for 21 days. */
export function parseWarmUp(text: string): WarmUp | undefined {
  const [, start, growth, days, from = ""] = FORM.exec(text) ?? [];
  const warmUp = { start: Number(start), growthPercent: Number(growth), days: Number(days), from };
  const isDay = from !== "" && dayNumber(from) !== null;
  const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;
  return isDay &&
    isWithin(warmUp.start, 1, START_MAX) &&
    isWithin(warmUp.growthPercent, 0, GROWTH_MAX) &&
    isWithin(warmUp.days, 1, DAYS_MAX)
    ? warmUp
    : undefined;
}

export const formatWarmUp = ({ start, growthPercent, days, from }: WarmUp): string =>
  `${start} ${growthPercent}% ${days} ${from}`;

/** How many campaign messages may go out on a day of the workspace; null: as many as there are. */
export function warmUpLimit({ start, growthPercent, days, from }: WarmUp, day: string): number | null {
  const passed = (dayNumber(day) ?? 0) - (dayNumber(from) ?? 0);
  if (passed < 0 || passed >= days) return null;
  return Math.floor(Math.min(Number.MAX_SAFE_INTEGER, start * (1 + growthPercent / 100) ** passed));
}

/** Days since 1970; null for a date that is in no calendar. */
function dayNumber(day: string): number | null {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : at / DAY_MS;
}
