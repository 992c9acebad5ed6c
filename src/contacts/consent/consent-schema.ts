import { Type, type Static } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { nullable, oneOf, timestamp } from "#http/envelope.ts";
import { DECISION_SOURCES } from "#core/decision-source.ts";
import { CONSENT_ACTIONS, type ConsentRecord } from "./consent-entry.ts";

/** The wire shapes of the consent log (docs/contract.md "Consents"). */

export const consentSchema = Type.Object(
  {
    email: Type.String({
      format: "email",
      description: "The person's address at that time.",
      examples: ["ada@example.com"],
    }),
    contactId: nullable(
      Type.String({
        description: "Who it was; kept when the contact is deleted. Null where there never was a contact.",
        examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
      }),
    ),
    action: oneOf("ConsentAction", CONSENT_ACTIONS, "Whether consent was given or withdrawn."),
    source: oneOf("ConsentSource", DECISION_SOURCES, "Through what. `admin` is the command line."),
    at: timestamp("When."),
    formId: nullable(
      Type.String({ description: "The form they used.", examples: ["form_01kafd2h8r4m6w1xs9t3vq5ybn"] }),
    ),
    clientAddress: nullable(
      Type.String({ description: "The network address it came from.", examples: ["203.0.113.7"] }),
    ),
    userAgent: nullable(Type.String({ description: "The program it came from.", examples: ["Mozilla/5.0"] })),
    reason: nullable(
      Type.String({ description: "What a reader wrote on the unsubscribe page.", examples: ["Too many"] }),
    ),
    listId: nullable(
      Type.String({
        description: "The list that a reader joined or left; null where it is about all marketing mail.",
        examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"],
      }),
    ),
  },
  {
    additionalProperties: false,
    $id: "ConsentEntry",
    description: "An entry of the consent log. It outlives its contact and never changes.",
  },
);

export const consentFilters = {
  email: Type.Optional(
    Type.String({ description: "The address at that time.", examples: ["ada@example.com"] }),
  ),
  contactId: Type.Optional(
    Type.String({
      description: "A contact, also a deleted one.",
      examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
    }),
  ),
};

export const consentWire = (entry: ConsentRecord): Static<typeof consentSchema> => ({
  email: entry.email,
  contactId: entry.contactId || null,
  action: entry.action,
  source: entry.source,
  at: isoOf(entry.at),
  formId: entry.formId,
  clientAddress: entry.clientAddress,
  userAgent: entry.userAgent,
  reason: entry.reason ?? null,
  listId: entry.listId ?? null,
});
