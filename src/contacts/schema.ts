import { Type, type Static } from "@sinclair/typebox";
import { attributesField, attributesSchema } from "#attributes/schema.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { isoOf } from "#core/time/iso.ts";
import { documentedAs, exact, nullable, oneOf, ruled, timestamp } from "#http/envelope.ts";
import { CONTACT_STATUSES, type Contact } from "./contact.ts";
import { shownContact } from "./shown-contact.ts";
import type { Membership } from "./membership.ts";

/** The wire shapes of contacts (docs/contract.md "Contact"). */

const contactStatus = oneOf(
  "ContactStatus",
  CONTACT_STATUSES,
  "Only SUBSCRIBED contacts get campaigns. BOUNCED is never raised.",
);

export const contactSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"] }),
    email: Type.String({
      format: "email",
      description: "Unique in the workspace, in lower case.",
      examples: ["ada@example.com"],
    }),
    firstName: Type.String({ description: "Empty when unknown.", examples: ["Ada"] }),
    lastName: Type.String({ description: "Empty when unknown.", examples: ["Lovelace"] }),
    tags: Type.Array(Type.String(), {
      description: "In the order they were given.",
      examples: [["newsletter", "beta"]],
    }),
    status: contactStatus,
    createdAt: timestamp("When the contact was made."),
    attributes: Type.Optional(attributesSchema),
    lastOpenedAt: Type.Optional(
      nullable(
        timestamp(
          "The newest time at which a person opened a campaign for the first time. Machines and other mail do not count, as in " +
            "the condition `opened` of a segment. Null: none.",
        ),
      ),
    ),
  },
  {
    ...exact,
    $id: "Contact",
    description: "A person to email.",
    examples: [
      {
        id: "ct_01kafc3q7w9h2m5xg4v8bt6rdn",
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Lovelace",
        tags: ["newsletter", "beta"],
        status: "SUBSCRIBED",
        createdAt: "2026-11-21T09:30:00.000Z",
      },
    ],
  },
);

export const membershipSchema = Type.Object(
  {
    id: Type.String({ description: "The list's id.", examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
    name: Type.String({ description: "The list's name.", examples: ["Newsletter"] }),
    createdAt: timestamp("When the list was made."),
    addedAt: timestamp("When the contact joined it."),
  },
  { ...exact, $id: "Membership", description: "A list that a contact is on." },
);

export const tagFilters = {
  q: Type.Optional(Type.String({ description: "Text in the tag, whatever its case.", examples: ["news"] })),
};

export const tagUseSchema = Type.Object(
  {
    tag: Type.String({ description: "As contacts have it.", examples: ["newsletter"] }),
    contacts: Type.Integer({
      description: "How many contacts have it, whatever their status.",
      examples: [1240],
    }),
  },
  { ...exact, $id: "Tag", description: "A tag that some contacts have." },
);

/** The limit that the rule checks, in code points. */
const nameLength = { maxLength: NAME_CHARACTERS_MAX };

const tags = (description: string) =>
  Type.Optional(
    // Not `maxItems`: repeated ones count once.
    Type.Array(ruled(Type.String(), { maxLength: 100 }), {
      description: `${description} At most 50, each at most 100 characters.`,
      examples: [["newsletter", "beta"]],
    }),
  );

const consent = Type.Optional(
  oneOf(
    "Consent",
    ["explicit", "declined"],
    "`explicit`: the person themselves agreed; counts only with SUBSCRIBED or no status. `declined`: they withdrew; wins over any status.",
  ),
);

export const newContactBody = Type.Object(
  {
    email: Type.String({
      description: "Trimmed and lowercased; the contact is created or changed under it.",
      examples: ["ada@example.com"],
    }),
    firstName: Type.Optional(
      documentedAs(
        Type.String({ ...nameLength, description: "Empty or left out: stays as it is.", examples: ["Ada"] }),
      ),
    ),
    lastName: Type.Optional(
      documentedAs(
        Type.String({
          ...nameLength,
          description: "Empty or left out: stays as it is.",
          examples: ["Lovelace"],
        }),
      ),
    ),
    tags: tags("Replaces the tags; left out, it empties them."),
    // Any value is accepted: an unrecognized one counts as SUBSCRIBED.
    status: Type.Optional(
      documentedAs({
        ...contactStatus,
        examples: ["PENDING"],
        description:
          "Left out or unrecognized, it counts as SUBSCRIBED. Send PENDING when unsure whether the person agreed.",
      }),
    ),
    consent,
    attributes: Type.Optional(attributesField),
  },
  {
    $id: "ContactCreate",
    description: "The person, and what they agreed to.",
    examples: [
      {
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Lovelace",
        tags: ["newsletter"],
        status: "PENDING",
      },
    ],
  },
);

export type NewContactBody = Static<typeof newContactBody>;

const name = (example: string) =>
  Type.Optional(
    documentedAs(
      Type.Union([Type.String(nameLength), Type.Null()], {
        description: "Empty or null clears it.",
        examples: [example],
      }),
    ),
  );

export const contactChangeBody = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        description: "A new address, which no other contact may have.",
        examples: ["countess@example.com"],
      }),
    ),
    firstName: name("Ada"),
    lastName: name("King"),
    tags: tags("Replaces the whole list."),
    status: Type.Optional({
      ...contactStatus,
      description: "Kept where the rules of consent do not let it change.",
    }),
    consent,
    attributes: Type.Optional(attributesField),
  },
  {
    $id: "ContactUpdate",
    description: "Send only what changes.",
    examples: [{ lastName: "King", tags: ["newsletter"] }],
  },
);

export type ContactChangeBody = Static<typeof contactChangeBody>;

const statusFilter = Type.Optional({ ...contactStatus, description: "Only contacts of this status." });
const q = Type.Optional(
  Type.String({
    description:
      "Text in the address, first or last name, whatever its case. After an `@`, a domain may be written as people write it " +
      "(`@bücher.example`).",
    examples: ["ada"],
  }),
);

/** What the routes that answer one contact take. */
export const contactInclude = {
  include: Type.Optional(
    Type.String({
      enum: ["attributes"],
      description: "`attributes`: show the attributes of contacts too.",
      examples: ["attributes"],
    }),
  ),
};

/** What the routes that answer a page of contacts take. */
export const pageInclude = {
  include: Type.Optional(
    Type.String({
      enum: ["attributes", "lastOpenedAt", "attributes,lastOpenedAt"],
      description:
        "`attributes`: show the attributes of contacts too. `lastOpenedAt`: when they last opened a campaign. Both, with a " +
        "comma between them.",
      examples: ["attributes"],
    }),
  ),
};

/** Filters for the contacts of a list and for all contacts. */
export const memberFilters = { status: statusFilter, q };
export const contactFilters = {
  ...memberFilters,
  tag: Type.Optional(Type.String({ description: "Exactly this tag.", examples: ["newsletter"] })),
};

/** As the contract shows a contact; `isFull` shows its attributes too. */
export const contactWireIn =
  (isFull: boolean) =>
  (contact: Contact): object =>
    isFull ? { ...shownContact(contact), attributes: contact.attributes } : shownContact(contact);

export const membershipWire = ({
  id,
  name: listName,
  createdAt,
  addedAt,
}: Membership): Static<typeof membershipSchema> => ({
  id,
  name: listName,
  createdAt: isoOf(createdAt),
  addedAt: isoOf(addedAt),
});
