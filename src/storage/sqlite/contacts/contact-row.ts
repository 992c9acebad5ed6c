import type { Contact, ContactStatus } from "#contacts/contact.ts";

/** A contact as it is stored; `tags` is JSON. */
export type ContactRow = {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly tags: string;
  readonly status: ContactStatus;
  readonly created_at: number;
};

/** The columns of a `ContactRow`, of the table or alias `c`. */
export const CONTACT_COLUMNS =
  "c.seq, c.id, c.email, c.first_name, c.last_name, c.tags, c.status, c.created_at" as const;

export function contactOf(row: ContactRow): Contact {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    tags: JSON.parse(row.tags) as string[],
    status: row.status,
    createdAt: row.created_at,
  };
}
