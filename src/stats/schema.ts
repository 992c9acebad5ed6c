import { Type, type TSchema } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, timestamp } from "#http/envelope.ts";
import { deliveredOf, FIGURES, type Counts, type Figure, type Figures, type Stats } from "./figures.ts";
import { STEPS } from "./steps.ts";

/** The wire shapes of figures (docs/contract.md "Figures"). */

const MEANING: Readonly<Record<Figure, string>> = {
  sent: "Messages that the relay took, of every kind.",
  bounced: "Messages that were refused because of their address.",
  opened: "Messages that a person opened, each once, when it was first.",
  clicked: "Messages of which a person followed a link, each once, when it was first.",
  unsubscribed: "Contacts who became UNSUBSCRIBED, whatever way.",
  complained: "Addresses that were suppressed for a complaint.",
  newContacts: "Contacts that were made, whatever their status.",
  events: "Events that were recorded.",
};

const EXAMPLE: Figures = {
  sent: 1200,
  bounced: 3,
  opened: 412,
  clicked: 97,
  unsubscribed: 4,
  complained: 1,
  newContacts: 25,
  events: 310,
};

const figures: Record<string, TSchema> = Object.fromEntries(
  FIGURES.map((figure) => [
    figure,
    Type.Integer({ minimum: 0, description: MEANING[figure], examples: [EXAMPLE[figure]] }),
  ]),
);

const shown = {
  ...figures,
  delivered: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "With `include=delivered`: of `sent`, those that have not bounced since.",
      examples: [1199],
    }),
  ),
};

export const statsSchema = Type.Object(
  {
    totals: Type.Object(shown, { ...exact, $id: "Figures", description: "The sum of the steps." }),
    series: Type.Array(
      Type.Object(
        { at: timestamp("When the step begins."), ...shown },
        { ...exact, $id: "FiguresStep", description: "What happened in one step." },
      ),
      { description: "Every step, the oldest first." },
    ),
  },
  { ...exact, $id: "Stats", description: "What happened in a workspace, by time." },
);

const time = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description, examples: ["2026-11-21T00:00:00Z"] }));

export const statsQuery = Type.Object({
  from: time(
    "Where it begins: the step that this time lies in. Left out: 30 days before `to`, of hours 24 hours.",
  ),
  to: time("Where it ends: this time is not part of it. Left out: now."),
  include: Type.Optional(
    Type.String({
      enum: ["delivered"],
      description: "`delivered`: show that figure too, in the totals and in each step.",
      examples: ["delivered"],
    }),
  ),
  step: Type.Optional(
    Type.String({
      enum: [...STEPS],
      default: "day",
      description: "An hour or a day of the workspace's time zone.",
    }),
  ),
});

/** @param withDelivered whether the request asked for it by name */
export const statsWire = ({ totals, series }: Stats, withDelivered: boolean) => {
  const wire = ({ returned, complainedElsewhere: _elsewhere, ...step }: Counts) =>
    withDelivered ? { ...step, delivered: deliveredOf({ ...step, returned }) } : step;
  return {
    totals: wire(totals),
    series: series.map(({ at, ...step }) => ({ at: isoOf(at), ...wire(step) })),
  };
};
