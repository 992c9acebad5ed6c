import type { Instant } from "#core/clock.ts";

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

/** The figures of each step, and of all of them together. `at` is where a step begins. */
export type Stats = {
  readonly totals: Figures;
  readonly series: readonly (Figures & { readonly at: Instant })[];
};

const NO_FIGURES: Figures = {
  sent: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
  complained: 0,
  newContacts: 0,
  events: 0,
};

export function sumOf(all: readonly Figures[]): Figures {
  const sum: Record<Figure, number> = { ...NO_FIGURES };
  for (const figures of all) for (const figure of FIGURES) sum[figure] += figures[figure];
  return sum;
}
