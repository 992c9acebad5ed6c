import type { Instant } from "#core/time/clock.ts";

/** What is counted for a workspace (docs/decisions.md "Figures"). */
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
 * `returned`: messages that the relay accepted and a report later called bounced, counted at the time of acceptance.
 * `bounced` counts them too, at the time of the report, and also those that the relay never accepted.
 * `complainedElsewhere`: of `complained`, those that somebody entered about people whom the workspace never mailed. They
 * are about another sender's mail.
 */
export const COUNTED = [...FIGURES, "returned", "complainedElsewhere"] as const;

export type Counted = (typeof COUNTED)[number];

export type Counts = Readonly<Record<Counted, number>>;

/** Messages that the relay accepted and that have not bounced since. */
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
  complainedElsewhere: 0,
};

export function sumOf(all: readonly Counts[]): Counts {
  const sum: Record<Counted, number> = { ...NOTHING };
  for (const counts of all) for (const one of COUNTED) sum[one] += counts[one];
  return sum;
}
