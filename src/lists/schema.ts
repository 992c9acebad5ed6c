import { Type } from "@sinclair/typebox";
import { isoOf, timestamp } from "#http/envelope.ts";
import type { List } from "./list.ts";

/** The wire shapes of lists (contract, List). */

const exact = { additionalProperties: false } as const;

export const listSchema = Type.Object(
  {
    id: Type.String(),
    orgId: Type.String({ description: "The workspace's id." }),
    name: Type.String(),
    createdAt: timestamp(),
    contactCount: Type.Integer({ description: "Contacts on the list, whatever their status." }),
  },
  exact,
);

export const listBody = Type.Object({ name: Type.String({ description: "Trimmed; not empty." }) });

// Any value is taken: what is no string is dropped, and `contactId` counts only where `contactIds` is empty.
export const membersBody = Type.Object({
  contactId: Type.Optional(Type.Unknown({ type: "string" })),
  contactIds: Type.Optional(
    Type.Unknown({
      type: "array",
      items: { type: "string" },
      description: "Used where it has a string in it, else `contactId`. No id twice.",
    }),
  ),
});

export const listFilters = {
  q: Type.Optional(Type.String({ description: "Text in the name, whatever its case." })),
};

export const addedSchema = Type.Object(
  {
    added: Type.Integer({ description: "Contacts that may join, those already on the list too." }),
    skipped: Type.Integer({ description: "UNSUBSCRIBED and BOUNCED contacts: they never join." }),
  },
  exact,
);

export const listWire = ({ id, workspaceId, name, createdAt, contactCount }: List) => ({
  id,
  orgId: workspaceId,
  name,
  createdAt: isoOf(createdAt),
  contactCount,
});
