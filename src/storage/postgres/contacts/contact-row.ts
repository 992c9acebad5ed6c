import { NO_ATTRIBUTES, type Attributes } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts } from "#storage/postgres/schema/schema.ts";

/** A contact as it is stored; `attributes` is JSON, or null if there are none. */
export type ContactRow = Row<
  typeof contacts,
  "seq" | "id" | "email" | "firstName" | "lastName" | "tags" | "status" | "createdAt"
> & { readonly attributes: string | null };

/** The columns of a `ContactRow`, of `contacts AS c` and `contact_attributes AS a`. */
export const CONTACT_COLUMNS = `c.seq, c.id, c.email, c.first_name, c.last_name, c.tags, c.status, c.created_at,
  a.attributes::text AS attributes`;

/** Reads contacts: a WHERE follows, on `c`. */
export const CONTACTS = `SELECT ${CONTACT_COLUMNS} FROM contacts AS c
  LEFT JOIN contact_attributes AS a ON a.contact = c.seq`;
const BY_EMAIL = `${CONTACTS} WHERE c.workspace = $1 AND c.email = $2`;

/** The contact with an address in a workspace, without a lock. Null: there is none. */
export const findByEmail = ({ row }: Session, workspace: number, email: string): Promise<ContactRow | null> =>
  row<ContactRow>(BY_EMAIL, [workspace, email]);

export function contactOf({ seq: _seq, attributes, ...row }: ContactRow): Contact {
  return {
    ...row,
    attributes: attributes === null ? NO_ATTRIBUTES : (JSON.parse(attributes) as Attributes),
  };
}

/** Turns a contact that was read before back into its row. */
export const contactRowOf = (seq: number, { attributes, tags, ...contact }: Contact): ContactRow => ({
  ...contact,
  seq,
  tags: [...tags],
  attributes: JSON.stringify(attributes),
});
