import { Type, type TObject } from "@sinclair/typebox";
import { nullable, oneOf, pageQuery, timestamp } from "#http/envelope.ts";
import { SHOWN_STATES } from "./report.ts";

/** The wire shapes of what became of each recipient (docs/contract.md "What became of a campaign"). */

const deliveryState = oneOf(
  "DeliveryState",
  SHOWN_STATES,
  "What became of a message. UNCERTAIN may have arrived, and is never tried again.",
);

const filters = {
  state: Type.Optional({ ...deliveryState, description: "Only recipients whose mail is in this state." }),
  email: Type.Optional(
    Type.String({
      format: "email",
      description: "Only the message to this address.",
      examples: ["ada@example.com"],
    }),
  ),
  reason: Type.Optional(
    Type.String({
      description: "Only recipients of whom this is the `reason`, exactly.",
      examples: ["SUPPRESSED"],
    }),
  ),
};

export const deliveryQuery = Type.Object({ ...pageQuery, ...filters });
export const deliveryFilters = Type.Object(filters);

export const deliverySchema: TObject = Type.Object(
  {
    contactId: nullable(
      Type.String({
        description: "Null when the contact was deleted since.",
        examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
      }),
    ),
    email: Type.String({
      format: "email",
      description: "Where the message goes.",
      examples: ["ada@example.com"],
    }),
    state: { ...deliveryState, examples: ["SENT"] },
    reason: nullable(
      Type.String({ description: "Why it was skipped or failed; else null.", examples: [null] }),
    ),
    detail: Type.Optional(
      Type.String({
        description:
          "Why the message could not be made for this recipient, or not yet, in words; missing otherwise.",
        examples: [
          "The Liquid template cannot be used in line 2, column 4: its filters and ranges make too much.",
        ],
      }),
    ),
    smtpReply: nullable(
      Type.String({ description: "What the relay said last.", examples: ["250 2.0.0 Ok: queued"] }),
    ),
    attempts: Type.Integer({ minimum: 0, description: "Attempts that counted.", examples: [1] }),
    sentAt: nullable(timestamp("When the relay accepted it.")),
  },
  {
    additionalProperties: false,
    $id: "Delivery",
    description: "One recipient of a campaign, and what became of their message.",
  },
);

export const deliveriesCsv = Type.String({
  $id: "DeliveriesCsv",
  description: "A header and a line for each recipient.",
  examples: ["email,state,reason,detail,smtpReply,attempts,sentAt,contactId\r\n"],
});
