import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { isoOf } from "#core/time/iso.ts";
import { documentedAs, exact, timestamp } from "#http/envelope.ts";
import type { List, ListContent } from "./list.ts";
import { DESCRIPTION_CHARACTERS_MAX, type ListOptions } from "./options.ts";

/** The wire shapes of lists (docs/contract.md "List"). */

/** A field of a list that is missing here does not compile. So the API shows everything that is stored. */
const shown = {
  id: Type.String({ description: "Opaque.", examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
  orgId: Type.String({ description: "The workspace's id.", examples: ["ws_01kafbw4t8c2j6r9fz3m5hxqde"] }),
  name: Type.String({ description: "What the list is called.", examples: ["Newsletter"] }),
  createdAt: timestamp("When the list was made."),
  contactCount: Type.Integer({
    description: "Contacts on the list, whatever their status.",
    examples: [128],
  }),
} satisfies Record<Exclude<keyof List, "workspaceId"> | "orgId", TSchema>;

export const listSchema = Type.Object(shown, {
  ...exact,
  $id: "ContactList",
  description: "A named group of contacts.",
});

const written = {
  name: documentedAs(
    Type.String({
      minLength: 1,
      maxLength: NAME_CHARACTERS_MAX,
      description: "Trimmed; not empty.",
      examples: ["Newsletter"],
    }),
  ),
} satisfies Record<keyof ListContent, TSchema>;

export const newListBody = Type.Object(written, { $id: "ListCreate", description: "The list's name." });
export const listChangeBody = Type.Object(written, {
  $id: "ListUpdate",
  description: "The list's new name.",
});
export type ListBody = Static<typeof newListBody>;

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
          description: "Used if it contains a string, otherwise `contactId`. No id twice.",
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

const optionFields = {
  public: Type.Boolean({
    description: "Whether readers see the list on the preferences page, and join and leave it by themselves.",
    examples: [true],
  }),
  publicName: Type.String({
    description: "What it is called there; empty for its own name.",
    examples: ["News from the workshop"],
  }),
  description: Type.String({
    description: "What readers get on it, in a sentence; may be empty.",
    examples: ["Once a month: what we built, and what went wrong."],
  }),
};

export const listOptionsSchema = Type.Object(optionFields, {
  ...exact,
  $id: "ListOptions",
  description: "What readers see of a list.",
});

export const listOptionsBody = Type.Partial(
  Type.Object({
    public: optionFields.public,
    publicName: documentedAs({ ...optionFields.publicName, maxLength: NAME_CHARACTERS_MAX }),
    description: documentedAs({ ...optionFields.description, maxLength: DESCRIPTION_CHARACTERS_MAX }),
  }),
  {
    $id: "ListOptionsUpdate",
    description: "Send only what changes.",
    examples: [{ public: true, publicName: "News from the workshop" }],
  },
);
export type ListOptionsBody = Static<typeof listOptionsBody>;

export const listOptionsWire = ({
  public: isPublic,
  publicName,
  description,
}: ListOptions): Static<typeof listOptionsSchema> => ({ public: isPublic, publicName, description });
