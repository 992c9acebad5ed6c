import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { longInteger, ruled, timestamp } from "#http/envelope.ts";
import type { StoredRule } from "./scoring-rule.ts";

export const scoreSchema = Type.Object(
  {
    contactId: Type.String({
      description: "Whose score it is.",
      examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
    }),
    score: Type.Integer({
      description: "The points of all their events under the rules of now; 0 without any.",
      examples: [30],
    }),
  },
  { additionalProperties: false, $id: "Score", description: "The lead score of a contact." },
);

const event = (description: string) => Type.String({ description, examples: ["order_placed"] });
const points = ruled(
  Type.Integer({
    description: "Points for each such event; negative ones take away. From -1000000 to 1000000, not 0.",
    examples: [20],
  }),
  { minimum: -1_000_000, maximum: 1_000_000 },
);
const minValueCents = (description: string) =>
  Type.Union([longInteger(), Type.Null()], { description, examples: [5000] });

export const ruleSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["sr_01kafe4t9w2c6m8xr3v5hq7zbn"] }),
    event: event("The event's name, normalized."),
    minValueCents: minValueCents("The least amount that counts, in minor units; null: every event counts."),
    points,
    createdAt: timestamp("When the rule was made."),
  },
  {
    additionalProperties: false,
    $id: "ScoringRule",
    description: "Points for every event of a name.",
  },
);

export const newRuleBody = Type.Object(
  {
    event: event("The event's name, in any spelling."),
    points,
    minValueCents: Type.Optional(
      minValueCents("Only events worth at least so many minor units. Left out: every event."),
    ),
  },
  { $id: "ScoringRuleCreate", description: "Which event earns how many points." },
);

export const ruleWire = ({
  id,
  event: name,
  minValueCents: least,
  points: earned,
  createdAt,
}: StoredRule) => ({
  id,
  event: name,
  minValueCents: least,
  points: earned,
  createdAt: isoOf(createdAt),
});
