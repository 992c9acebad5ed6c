import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { nullable, timestamp } from "#http/envelope.ts";
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
    name: Type.Optional(
      nullable(
        Type.String({
          description:
            "What the target is called now, where it was asked for: a campaign's or an automation's name, a contact's address, an import's file, a webhook's URL. Null: it is gone, or has no name.",
          examples: ["November letter"],
        }),
      ),
    ),
  },
  { additionalProperties: false, $id: "AuditEntry", description: "Who did what, and when." },
);

export const auditFilters = {
  what: Type.Optional(Type.String({ description: "Only this.", examples: ["sign_in_failed"] })),
};

export const auditIncludes = {
  include: Type.Optional(
    Type.String({
      enum: ["names"],
      description: "`names`: show what each target is called now.",
      examples: ["names"],
    }),
  ),
};

/** @param names what targets are called; null where nobody asked */
export const auditView = (names: ReadonlyMap<string, string> | null) => (entry: AuditEntry) =>
  names === null ? auditWire(entry) : { ...auditWire(entry), name: names.get(entry.target ?? "") ?? null };

const auditWire = ({ at, who, what, target }: AuditEntry) => ({ at: isoOf(at), who, what, target });
