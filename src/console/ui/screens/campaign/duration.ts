type Words = {
  readonly moment: string;
  minutes(count: number): string;
  hours(count: number): string;
};

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** How long something takes, as one says it. */
export function durationOf(seconds: number, words: Words): string {
  if (seconds < MINUTE_S / 2) return words.moment;
  if (seconds < HOUR_S) return words.minutes(Math.max(1, Math.round(seconds / MINUTE_S)));
  return words.hours(Math.round(seconds / HOUR_S));
}
