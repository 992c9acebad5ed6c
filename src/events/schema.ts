import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import {
  documentedAs,
  exact,
  longInteger,
  nullable,
  openObject,
  pageQuery,
  timestamp,
} from "#http/envelope.ts";
import type { RecordedEvent } from "./event.ts";

/** The wire shapes of events (docs/contract.md "Recorded event"). */

const id = Type.String({ description: "Opaque.", examples: ["ev_01kafd2m8r5w1n7xj3v9ct6bqe"] });
const name = Type.String({ description: "Normalized: lower-case snake_case.", examples: ["order_placed"] });
const createdAt = timestamp("When the event was recorded.");
const contactId = Type.String({
  description: "Whose event it is.",
  examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
});

export const eventSchema = Type.Object(
  {
    id,
    name,
    properties: openObject("As they were sent.", { plan: "pro" }),
    valueCents: nullable(
      longInteger({ description: "Minor units; null where the event has no amount.", examples: [1999] }),
    ),
    currency: nullable(Type.String({ description: "Three upper-case letters, or null.", examples: ["EUR"] })),
    contactId,
    createdAt,
  },
  { ...exact, $id: "Event", description: "Something a client application says a contact did." },
);

export const recordedSchema = Type.Object(
  {
    data: Type.Object({ id, name, createdAt }, { ...exact, $id: "RecordedEvent", description: "The event." }),
  },
  { ...exact, $id: "RecordedEventResponse", description: "The event was recorded." },
);

const duplicate = {
  id,
  duplicate: Type.Literal(true, {
    description: "An event with this `externalId` was there already.",
    examples: [true],
  }),
  createdAt,
};

/** The contract shows these members both at the top level and inside `data`. */
export const duplicateSchema = Type.Object(
  {
    data: Type.Object(duplicate, {
      ...exact,
      $id: "DuplicateEvent",
      description: "The event that was there already.",
    }),
    ...duplicate,
  },
  {
    ...exact,
    $id: "DuplicateEventResponse",
    description: "The event with this `externalId` was recorded before; nothing was written.",
  },
);

// The rules decide what is acceptable: they accept numbers as ids and ignore a currency that is not one.
const any = (schema: TSchema) => Type.Optional(documentedAs(schema));

export const newEventBody = Type.Object(
  {
    name: any(
      Type.String({
        description: "Normalized to lower-case snake_case and cut to 64 characters.",
        examples: ["orderPlaced"],
      }),
    ),
    email: any(
      Type.String({
        description:
          "The contact's address. One of `email` and `contactId` is required; an unknown address becomes a PENDING contact.",
        examples: ["ada@example.com"],
      }),
    ),
    contactId: any(
      Type.String({
        description: "Used instead of `email` where both are given.",
        examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
      }),
    ),
    properties: any(openObject("At most 50 keys and 8 KB of JSON.", { plan: "pro" })),
    value: any(
      Type.Number({
        description: "An amount in major units, stored as minor units: 19.99 becomes 1999.",
        examples: [19.99],
      }),
    ),
    valueCents: any(
      longInteger({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "An amount in minor units; wins over `value`.",
        examples: [1999],
      }),
    ),
    currency: any(
      Type.String({ description: "Three letters; anything else is ignored.", examples: ["EUR"] }),
    ),
    externalId: any(
      Type.String({
        description:
          "Your own id of the event: what was recorded under it once is not recorded again. Cut to 200 characters.",
        examples: ["order-4711"],
      }),
    ),
  },
  {
    $id: "EventCreate",
    description: "What happened, and to whom: `email` or `contactId` says that.",
    // Only for the document: the rules give a better message for a missing member than a schema does.
    allOf: [{ required: ["name"] }],
    examples: [
      {
        name: "order_placed",
        email: "ada@example.com",
        value: 19.99,
        currency: "EUR",
        externalId: "order-4711",
      },
    ],
  },
);

export type NewEventBody = Static<typeof newEventBody>;

export const eventQuery = Type.Object({
  ...pageQuery,
  name: Type.Optional(Type.String({ description: "Exactly this stored name.", examples: ["order_placed"] })),
  contactId: Type.Optional(
    Type.String({ description: "Only events of this contact.", examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"] }),
  ),
});

export const eventWire = ({ createdAt: at, ...event }: RecordedEvent): Static<typeof eventSchema> => ({
  ...event,
  createdAt: isoOf(at),
});
