/** The first days of a new sender, as the setting has them: `200 30% 21 2026-12-01`. */
export type WarmUp = {
  readonly start: number | "";
  readonly growth: number | "";
  readonly days: number | "";
  readonly from: string;
};

const FORM = /^(\d+) (\d+)% (\d+) (\d{4}-\d{2}-\d{2})$/;

export function readWarmUp(stored: string | null): WarmUp | null {
  const [, start, growth, days, from] = FORM.exec(stored ?? "") ?? [];
  return from === undefined
    ? null
    : { start: Number(start), growth: Number(growth), days: Number(days), from };
}

/** The least and the most of each number. */
export const WARM_UP_RANGES = { start: [1, 1_000_000], growth: [0, 500], days: [1, 365] } as const;

const within = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(Math.max(value, least), most);

/** Null while something is missing. A field that is left shows a number within its range: that is what is written. */
export function writtenWarmUp({ start, growth, days, from }: WarmUp): string | null {
  if (start === "" || growth === "" || days === "" || from === "") return null;
  const ranges = WARM_UP_RANGES;
  return `${within(start, ranges.start)} ${within(growth, ranges.growth)}% ${within(days, ranges.days)} ${from}`;
}

/** How much may go out on its last day; null while something is missing. */
export const lastDay = ({ start, growth, days }: WarmUp): number | null =>
  start === "" || growth === "" || days === "" || days < 1
    ? null
    : Math.floor(Math.min(Number.MAX_SAFE_INTEGER, start * (1 + growth / 100) ** (days - 1)));
