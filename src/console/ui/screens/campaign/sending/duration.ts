import type { Quantity } from "../../../texts/counted.ts";

type Words = {
  readonly moment: string;
  minutes(count: Quantity): string;
  hours(count: Quantity): string;
};

type Say = { readonly words: Words; quantity(value: number): Quantity };

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** How long something takes, in words. */
export function durationOf(seconds: number, { words, quantity }: Say): string {
  if (seconds < MINUTE_S / 2) return words.moment;
  if (seconds < HOUR_S) return words.minutes(quantity(Math.max(1, Math.round(seconds / MINUTE_S))));
  return words.hours(quantity(Math.round(seconds / HOUR_S)));
}
