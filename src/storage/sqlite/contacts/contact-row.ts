import type { Contact } from "#contacts/contact.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

/** A contact as it is stored; `tags` is JSON. */
export type ContactRow = Row<
  typeof contacts,
  "seq" | "id" | "email" | "firstName" | "lastName" | "tags" | "status" | "createdAt"
>;

/** The columns of a `ContactRow`, of the table or alias `c`. */
export const CONTACT_COLUMNS =
  "c.seq, c.id, c.email, c.first_name AS firstName, c.last_name AS lastName, c.tags, c.status, c.created_at AS createdAt";

export function contactOf(row: ContactRow): Contact {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    tags: JSON.parse(row.tags) as string[],
    status: row.status,
    createdAt: row.createdAt,
  };
}
