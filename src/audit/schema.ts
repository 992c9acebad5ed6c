import { Type } from "@sinclair/typebox";
import { isoOf, nullable, timestamp } from "#http/envelope.ts";
import type { AuditEntry } from "./entry.ts";

/** The wire shape of the audit log (docs/contract.md "Who did what"). */
export const auditSchema = Type.Object(
  {
    at: timestamp("When it was done."),
    who: Type.String({
      description: "A person's address, `key <name>`, or `command line`.",
      examples: ["ada@example.com"],
    }),
    what: Type.String({
      description: "What was done, such as `sign_in`, `campaign_sent`, `contact_deleted`. More may come.",
      examples: ["campaign_sent"],
    }),
    target: nullable(
      Type.String({
        description: "What it was done to: an id, an address, or the names of the settings.",
        examples: ["cmp_01kafd4x8q3m6t9wz5r2hv7ybc"],
      }),
    ),
  },
  { additionalProperties: false, $id: "AuditEntry", description: "Who did what, and when." },
);

export const auditFilters = {
  what: Type.Optional(Type.String({ description: "Only this.", examples: ["sign_in_failed"] })),
};

export const auditWire = ({ at, who, what, target }: AuditEntry) => ({ at: isoOf(at), who, what, target });
