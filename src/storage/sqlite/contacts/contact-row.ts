import { NO_ATTRIBUTES, type Attributes } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

/** A contact as it is stored; `tags` is JSON, and so is `attributes`, or null if there are none. */
export type ContactRow = Row<
  typeof contacts,
  "seq" | "id" | "email" | "firstName" | "lastName" | "tags" | "status" | "createdAt"
> & { readonly attributes: string | null };

const OWN_COLUMNS = `c.seq, c.id, c.email, c.first_name AS firstName, c.last_name AS lastName, c.tags, c.status,
  c.created_at AS createdAt`;

/** The columns of a `ContactRow`, from the table or alias `c`. */
export const CONTACT_COLUMNS = `${OWN_COLUMNS},
  (SELECT json(attributes) FROM contact_attributes WHERE contact = c.seq) AS attributes`;

/** The same for a workspace in which no contact has attributes: then a page does not look for any. */
export const PLAIN_CONTACT_COLUMNS = `${OWN_COLUMNS}, NULL AS attributes`;

export function contactOf(row: ContactRow): Contact {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    tags: row.tags === "[]" ? [] : (JSON.parse(row.tags) as string[]),
    status: row.status,
    attributes: row.attributes === null ? NO_ATTRIBUTES : (JSON.parse(row.attributes) as Attributes),
    createdAt: row.createdAt,
  };
}
