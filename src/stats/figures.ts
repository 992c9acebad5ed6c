import type { Instant } from "#core/time/clock.ts";

/** What is counted of a workspace (docs/decisions.md "Figures"). */
export const FIGURES = [
  "sent",
  "bounced",
  "opened",
  "clicked",
  "unsubscribed",
  "complained",
  "newContacts",
  "events",
] as const;

export type Figure = (typeof FIGURES)[number];

export type Figures = Readonly<Record<Figure, number>>;

/**
 * Kept beside them: messages that the relay took and that a report says bounced, counted where the relay took them.
 * `bounced` has these too, where the report came, and those that the relay never took.
 */
export const COUNTED = [...FIGURES, "returned"] as const;

export type Counted = (typeof COUNTED)[number];

export type Counts = Readonly<Record<Counted, number>>;

/** Messages that the relay took, and that have not bounced since. */
export const deliveredOf = ({ sent, returned }: Pick<Counts, "sent" | "returned">): number => sent - returned;

/** The figures of each step, and of all of them together. `at` is where a step begins. */
export type Stats = {
  readonly totals: Counts;
  readonly series: readonly (Counts & { readonly at: Instant })[];
};

const NOTHING: Counts = {
  sent: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  complained: 0,
  newContacts: 0,
  events: 0,
  returned: 0,
};

export function sumOf(all: readonly Counts[]): Counts {
  const sum: Record<Counted, number> = { ...NOTHING };
  for (const counts of all) for (const one of COUNTED) sum[one] += counts[one];
  return sum;
}
