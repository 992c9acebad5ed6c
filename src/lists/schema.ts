import { Type, type Static } from "@sinclair/typebox";
import { NAME_CHARACTERS_MAX } from "#core/name-text.ts";
import { documentedAs, isoOf, timestamp } from "#http/envelope.ts";
import type { List } from "./list.ts";

/** The wire shapes of lists (docs/contract.md "List"). */

const exact = { additionalProperties: false } as const;

export const listSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
    orgId: Type.String({ description: "The workspace's id.", examples: ["ws_01kafbw4t8c2j6r9fz3m5hxqde"] }),
    name: Type.String({ description: "What the list is called.", examples: ["Newsletter"] }),
    createdAt: timestamp("When the list was made."),
    contactCount: Type.Integer({
      description: "Contacts on the list, whatever their status.",
      examples: [128],
    }),
  },
  { ...exact, $id: "List", description: "A named group of contacts." },
);

const named = {
  name: documentedAs(
    Type.String({
      maxLength: NAME_CHARACTERS_MAX,
      description: "Trimmed; not empty.",
      examples: ["Newsletter"],
    }),
  ),
};

export const newListBody = Type.Object(named, { $id: "ListCreate", description: "The list's name." });
export const listChangeBody = Type.Object(named, { $id: "ListUpdate", description: "The list's new name." });
export type NewListBody = Static<typeof newListBody>;
export type ListChangeBody = Static<typeof listChangeBody>;

// Any value is accepted: values that are not strings are dropped, and `contactId` counts only if `contactIds`
// is empty.
export const membersBody = Type.Object(
  {
    contactId: Type.Optional(
      documentedAs(
        Type.String({ description: "One contact's id.", examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"] }),
      ),
    ),
    contactIds: Type.Optional(
      documentedAs(
        Type.Array(Type.String(), {
          description: "Used where it has a string in it, else `contactId`. No id twice.",
          examples: [["ct_01kafc3q7w9h2m5xg4v8bt6rdn", "ct_01kafc5m2p8d4k7ys1n6wz3gvb"]],
        }),
      ),
    ),
  },
  {
    $id: "ListContactsAdd",
    description: "Whom to add: one of the two.",
    examples: [{ contactIds: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn", "ct_01kafc5m2p8d4k7ys1n6wz3gvb"] }],
  },
);

export type ListMembersBody = Static<typeof membersBody>;

export const listFilters = {
  q: Type.Optional(Type.String({ description: "Text in the name, whatever its case.", examples: ["news"] })),
};

export const addedSchema = Type.Object(
  {
    added: Type.Integer({
      description: "Contacts that may join, those already on the list too.",
      examples: [2],
    }),
    skipped: Type.Integer({
      description: "UNSUBSCRIBED and BOUNCED contacts: they never join.",
      examples: [0],
    }),
  },
  { ...exact, $id: "ListContactsAdded", description: "How many." },
);

export const listWire = ({
  id,
  workspaceId,
  name,
  createdAt,
  contactCount,
}: List): Static<typeof listSchema> => ({
  id,
  orgId: workspaceId,
  name,
  createdAt: isoOf(createdAt),
  contactCount,
});
