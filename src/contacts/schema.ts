import { Type } from "@sinclair/typebox";
import { isoOf, timestamp } from "#http/envelope.ts";
import { CONTACT_STATUSES, type Contact } from "./contact.ts";
import type { Membership } from "./membership.ts";

/** The wire shapes of contacts (contract, Contact). */

const exact = { additionalProperties: false } as const;
const statuses = [...CONTACT_STATUSES];
const CONSENTS = ["explicit", "declined"];

export const contactSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstName: Type.String({ description: "Empty when unknown." }),
    lastName: Type.String({ description: "Empty when unknown." }),
    tags: Type.Array(Type.String()),
    status: Type.Union(statuses.map((status) => Type.Literal(status))),
    createdAt: timestamp(),
  },
  exact,
);

export const membershipSchema = Type.Object(
  {
    id: Type.String({ description: "The list's id." }),
    name: Type.String(),
    createdAt: timestamp("When the list was made."),
    addedAt: timestamp("When the contact joined it."),
  },
  exact,
);

const tags = (description: string) =>
  Type.Optional(
    Type.Array(Type.String(), { description: `${description} At most 50, each at most 100 characters.` }),
  );

const consent = Type.Optional(
  Type.String({
    enum: CONSENTS,
    description:
      "`explicit`: the person themselves agreed; counts only with SUBSCRIBED or no status. `declined`: they withdrew; wins over any status.",
  }),
);

export const newContactBody = Type.Object({
  email: Type.String({ description: "Trimmed and lowercased; the contact is created or changed under it." }),
  firstName: Type.Optional(Type.String({ description: "Empty or left out: stays as it is." })),
  lastName: Type.Optional(Type.String({ description: "Empty or left out: stays as it is." })),
  tags: tags("Replaces the tags; left out, it empties them."),
  // Any value is taken: an unrecognized one counts as SUBSCRIBED.
  status: Type.Optional(
    Type.Unknown({
      type: "string",
      enum: statuses,
      default: "SUBSCRIBED",
      description:
        "An unrecognized value counts as SUBSCRIBED. Send PENDING when unsure whether the person agreed.",
    }),
  ),
  consent,
});

const name = Type.Optional(
  Type.Union([Type.String(), Type.Null()], { description: "Empty or null clears it." }),
);

export const contactChangeBody = Type.Object({
  email: Type.Optional(Type.String()),
  firstName: name,
  lastName: name,
  tags: tags("Replaces the whole list."),
  status: Type.Optional(Type.String({ enum: statuses })),
  consent,
});

const statusFilter = Type.Optional(Type.String({ enum: statuses }));
const q = Type.Optional(
  Type.String({ description: "Text in the address, first or last name, whatever its case." }),
);

/** The filters of a list's contacts, and of all contacts. */
export const memberFilters = { status: statusFilter, q };
export const contactFilters = {
  ...memberFilters,
  tag: Type.Optional(Type.String({ description: "Exactly this tag." })),
};

export const contactWire = ({
  id,
  email,
  firstName,
  lastName,
  tags: carried,
  status,
  createdAt,
}: Contact) => ({
  id,
  email,
  firstName,
  lastName,
  tags: carried,
  status,
  createdAt: isoOf(createdAt),
});

export const membershipWire = ({ id, name: listName, createdAt, addedAt }: Membership) => ({
  id,
  name: listName,
  createdAt: isoOf(createdAt),
  addedAt: isoOf(addedAt),
});
