import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { contactSchema } from "#contacts/schema.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { isoOf } from "#core/time/iso.ts";
import { documentedAs, exact, oneOf, openObject, timestamp } from "#http/envelope.ts";
import type { Segment } from "./segment.ts";

/**
 * The wire shapes of segments (docs/contract.md "Segments"). What is wrong in rules is said by
 * `rules-input.ts`.
 */

const RULES_EXAMPLE = {
  all: [
    { field: "tag", op: "equals", value: "newsletter" },
    {
      any: [
        { field: "attributes.plan", op: "equals", value: "pro" },
        { field: "event", op: "atLeast", name: "order_placed", value: 2, withinDays: 90 },
      ],
    },
  ],
};

const propertyTest = Type.Object(
  {
    property: Type.String({ description: "The path of a property.", examples: ["cart.total"] }),
    op: Type.String({
      description: "`equals`, `contains` and the other ops of texts, `greaterThan` or `lessThan`.",
      examples: ["greaterThan"],
    }),
    value: Type.Optional(Type.Unknown({ description: "A text, a number, true or false.", examples: [50] })),
  },
  { ...exact, $id: "SegmentPropertyTest", description: "One test of an event's properties." },
);

const condition = Type.Object(
  {
    field: Type.String({
      description:
        "`email`, `firstName`, `lastName`, `domain`, `status`, `tag`, `list`, `segment`, `createdAt`, `attributes.<name>`, `score`, " +
        "`event`, `received`, `opened` or `clicked`.",
      examples: ["event"],
    }),
    op: Type.String({
      description:
        "Of texts and attributes: `equals`, `notEquals`, `contains`, `notContains`, `startsWith`, `endsWith`, `exists`, `notExists`; of " +
        "attributes also `greaterThan`, `lessThan`, `before`, `after`, `withinDays`. Of `status`, `tag`, `list`, `segment`, `received`, " +
        "`opened` and `clicked`: `equals`, `notEquals`. Of `createdAt`: `before`, `after`, `withinDays`, `notWithinDays`. Of `score`: " +
        "`equals`, `greaterThan`, `lessThan`. Of `event`: `atLeast`, `atMost`, `exactly`.",
      examples: ["atLeast"],
    }),
    value: Type.Optional(
      Type.Unknown({
        description:
          "What it is compared with; `exists` and `notExists` need none. A domain may be written as people write it (`bücher.example`) " +
          "for `domain`, and after an `@` for `email`.",
        examples: [2],
      }),
    ),
    name: Type.Optional(Type.String({ description: "Of `event`: its name.", examples: ["order_placed"] })),
    withinDays: Type.Optional(
      Type.Number({
        description: "Of `event`, `received`, `opened` and `clicked`: only so many days back.",
        examples: [90],
      }),
    ),
    where: Type.Optional(
      Type.Array(propertyTest, {
        description: "Of `event`: only those whose properties fit every test.",
        examples: [[{ property: "cart.total", op: "greaterThan", value: 50 }]],
      }),
    ),
  },
  { ...exact, $id: "SegmentCondition", description: "A question about a contact." },
);

const openRule = Type.Object(
  {},
  { additionalProperties: true, $id: "SegmentRule", description: "A condition, or a group of rules." },
);

const group = (kind: "all" | "any", $id: string, description: string): TSchema =>
  Type.Object(
    { [kind]: Type.Array(openRule, { minItems: 1, description, examples: [RULES_EXAMPLE.all] }) },
    { ...exact, $id, description },
  );

const rules = Type.Union(
  [
    group("all", "SegmentAll", "Every rule has to hold."),
    group("any", "SegmentAny", "One rule has to hold."),
    Type.Object({ not: openRule }, { ...exact, $id: "SegmentNot", description: "The rule must not hold." }),
    condition,
  ],
  {
    $id: "SegmentRules",
    description:
      "A condition, or a group of rules: at most 50 conditions, in groups at most 5 deep. A segment keeps at most 64 KB of JSON.",
    examples: [RULES_EXAMPLE],
  },
);

const sentRules = documentedAs(rules);
const sentName = documentedAs(
  Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    description: "Trimmed; not empty.",
    examples: ["Readers who buy"],
  }),
);

export const newSegmentBody = Type.Object(
  { name: sentName, rules: sentRules },
  { $id: "SegmentCreate", description: "Its name, and the rules for who is in it." },
);
export type NewSegmentBody = Static<typeof newSegmentBody>;

export const segmentChangeBody = Type.Object(
  { name: Type.Optional(sentName), rules: Type.Optional(sentRules) },
  { $id: "SegmentUpdate", description: "Send only what changes." },
);
export type SegmentChangeBody = Static<typeof segmentChangeBody>;

export const previewBody = Type.Object(
  { rules: sentRules },
  { $id: "SegmentPreviewRequest", description: "The rules to try." },
);
/** Of every body that has rules. */
export type RulesBody = { readonly rules?: unknown };

export const segmentSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["seg_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
    name: Type.String({ description: "What the segment is called.", examples: ["Readers who buy"] }),
    rules: openObject("As they were sent.", RULES_EXAMPLE),
    createdAt: timestamp("When the segment was made."),
    updatedAt: timestamp("When its name or its rules changed last."),
  },
  { ...exact, $id: "Segment", description: "A saved question about contacts." },
);

const counts = {
  total: Type.Integer({ description: "Contacts in it, whatever their status.", examples: [128] }),
  subscribed: Type.Integer({ description: "Those of them who are SUBSCRIBED.", examples: [117] }),
};

export const segmentCountSchema = Type.Object(counts, {
  ...exact,
  $id: "SegmentCount",
  description: "How many are in a segment now.",
});

export const previewSchema = Type.Object(
  {
    ...counts,
    sample: Type.Array(contactSchema, { maxItems: 10, description: "The newest of them, at most ten." }),
  },
  { ...exact, $id: "SegmentPreview", description: "Who would be in a segment with these rules." },
);

const segmentUserSchema = Type.Object(
  {
    kind: oneOf("SegmentUserKind", ["segment", "campaign"], "What it is."),
    id: Type.String({ description: "Its id.", examples: ["cmp_01kafd8s2v6x0p4zq7m3rt9bwh"] }),
    name: Type.String({ description: "What it is called.", examples: ["Spring sale"] }),
  },
  { ...exact, $id: "SegmentUser", description: "Something that asks for a segment." },
);
export const segmentUsersSchema = Type.Array(segmentUserSchema, {
  description: "At most 100, segments first.",
});

export const segmentWire = ({ id, name, rules: sent, createdAt, updatedAt }: Segment) => ({
  id,
  name,
  rules: sent,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});
