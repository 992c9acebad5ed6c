import { Type } from "@sinclair/typebox";
import { isoOf, nullable, pageQuery, timestamp } from "#http/envelope.ts";
import type { RecordedEvent } from "./event.ts";

/** The wire shapes of events (contract, Recorded event). */

const exact = { additionalProperties: false } as const;

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
    properties: Type.Object(
      {},
      { additionalProperties: true, description: "As they were sent.", examples: [{ plan: "pro" }] },
    ),
    valueCents: nullable(
      Type.Integer({ description: "Minor units; null where the event has no amount.", examples: [1999] }),
    ),
    currency: nullable(Type.String({ description: "Three upper-case letters, or null.", examples: ["EUR"] })),
    contactId,
    createdAt,
  },
  { ...exact, $id: "Event", description: "Something a client application says a contact did." },
);

export const recordedSchema = Type.Object(
  { data: Type.Object({ id, name, createdAt }, { ...exact, description: "The event." }) },
  { ...exact, description: "The event was recorded." },
);

const duplicate = {
  id,
  duplicate: Type.Literal(true, {
    description: "An event with this `externalId` was there already.",
    examples: [true],
  }),
  createdAt,
};

/** The contract shows these members both at the top and inside `data`. */
export const duplicateSchema = Type.Object(
  {
    data: Type.Object(duplicate, { ...exact, description: "The event that was there already." }),
    ...duplicate,
  },
  { ...exact, description: "The event with this `externalId` was recorded before; nothing was written." },
);

// What is acceptable is for the rules to say: they take numbers for ids, and pass over currencies that are none.
const any = (type: string, description: string, examples: readonly unknown[]) =>
  Type.Optional(Type.Unknown({ type, description, examples }));

export const newEventBody = Type.Object(
  {
    name: any("string", "Normalized to lower-case snake_case and cut to 64 characters.", ["orderPlaced"]),
    email: any(
      "string",
      "The contact's address. One of `email` and `contactId` is required; an unknown address becomes a PENDING contact.",
      ["ada@example.com"],
    ),
    contactId: any("string", "Used instead of `email` where both are given.", [
      "ct_01kafc3q7w9h2m5xg4v8bt6rdn",
    ]),
    properties: any("object", "At most 50 keys and 8 KB of JSON.", [{ plan: "pro" }]),
    value: any("number", "An amount in major units, stored as minor units: 19.99 becomes 1999.", [19.99]),
    valueCents: any("integer", "An amount in minor units; wins over `value`.", [1999]),
    currency: any("string", "Three letters; anything else is ignored.", ["EUR"]),
    externalId: any(
      "string",
      "Your own id of the event: what was recorded under it once is not recorded again. Cut to 200 characters.",
      ["order-4711"],
    ),
  },
  {
    description: "What happened, and to whom.",
    // For the document: the rules say better what is missing than a schema does.
    allOf: [{ required: ["name"] }, { anyOf: [{ required: ["email"] }, { required: ["contactId"] }] }],
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

export const eventQuery = Type.Object({
  ...pageQuery,
  name: Type.Optional(Type.String({ description: "Exactly this stored name.", examples: ["order_placed"] })),
  contactId: Type.Optional(
    Type.String({ description: "Only events of this contact.", examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"] }),
  ),
});

export const eventWire = ({ createdAt: at, ...event }: RecordedEvent) => ({ ...event, createdAt: isoOf(at) });
