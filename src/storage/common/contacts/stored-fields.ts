import type { Contact } from "#contacts/contact.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";

type Fields = Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "status">;

/** What a contact's row says of its fields; `tags` is JSON. */
export type StoredFields = { readonly [Name in keyof Fields]: string };

/** The columns of a contact's row that a write may change. */
export const WRITTEN_COLUMNS = ["email", "first_name", "last_name", "tags", "status", "search"] as const;

/** The values of `WRITTEN_COLUMNS`. */
export function writtenValues(contact: Fields): string[] {
  const { email, firstName, lastName, tags, status } = storedFields(contact);
  return [email, firstName, lastName, tags, status, searchTextOf(email, firstName, lastName)];
}

export const storedFields = ({ email, firstName, lastName, tags, status }: Fields): StoredFields => ({
  email,
  firstName,
  lastName,
  tags: tags.length === 0 ? "[]" : JSON.stringify(tags),
  status,
});

/** If true, the row is not written: importing a file again costs only reading. */
export const isAsStored = (row: StoredFields, after: StoredFields): boolean =>
  row.email === after.email &&
  row.firstName === after.firstName &&
  row.lastName === after.lastName &&
  row.tags === after.tags &&
  row.status === after.status;
