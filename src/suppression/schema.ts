import { Type, type Static } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, nullable, oneOf, timestamp } from "#http/envelope.ts";
import { SUPPRESSION_REASONS } from "./reason.ts";
import { DECISION_SOURCES } from "#core/decision-source.ts";
import type { BlockedDomain, Suppression } from "./suppression.ts";

/** The wire shapes of suppressions and blocked domains (docs/contract.md "Suppressions and blocked domains"). */

const reason = (description: string) => ({
  ...oneOf("SuppressionReason", SUPPRESSION_REASONS, description),
  examples: ["COMPLAINT"],
});

export const suppressionSchema = Type.Object(
  {
    email: Type.String({
      format: "email",
      description: "In lower case.",
      examples: ["someone@example.net"],
    }),
    reason: reason("Why. UNSUBSCRIBED gives way to the other three; those stay."),
    source: nullable(
      oneOf(
        "SuppressionSource",
        DECISION_SOURCES,
        "Through what the reason came. Null for an entry from before that was kept.",
      ),
    ),
    createdAt: timestamp("When the address was first suppressed."),
  },
  { ...exact, $id: "Suppression", description: "An address that is never mailed." },
);

export const newSuppressionBody = Type.Object(
  {
    email: Type.String({ description: "The address.", examples: ["someone@example.net"] }),
    reason: Type.Optional(reason("Why. Left out: `MANUAL`.")),
  },
  { $id: "SuppressionCreate", description: "Whom never to mail." },
);

export const suppressionFilters = {
  q: Type.Optional(
    Type.String({
      description:
        "Text in the address, whatever its case. After an `@`, a domain may be written as people write it (`@bücher.example`).",
      examples: ["example.net"],
    }),
  ),
  reason: Type.Optional(reason("Only entries with this reason.")),
};

export const suppressionWire = ({
  email,
  reason: why,
  source,
  createdAt,
}: Suppression): Static<typeof suppressionSchema> => ({
  email,
  reason: why,
  source,
  createdAt: isoOf(createdAt),
});

const domain = (description: string) => Type.String({ description, examples: ["blocked.example"] });

export const blockedDomainSchema = Type.Object(
  {
    domain: domain("In lower case; international names in their ASCII form."),
    createdAt: timestamp("When it was blocked."),
  },
  { ...exact, $id: "BlockedDomain", description: "A domain whose addresses are skipped when sending." },
);

export const newBlockedDomainBody = Type.Object(
  { domain: domain("The domain. Those below it are domains of their own.") },
  { $id: "BlockedDomainCreate", description: "Which domain never to mail." },
);

export const blockedDomainWire = ({
  domain: name,
  createdAt,
}: BlockedDomain): Static<typeof blockedDomainSchema> => ({
  domain: name,
  createdAt: isoOf(createdAt),
});
