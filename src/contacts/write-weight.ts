import type { NewContact } from "./contact-input.ts";

/**
 * How much work it is to write a contact, counted in contacts that have only an address: each tag, and each of the rows
 * that webhooks add, is a row and an index entry of its own, and the attributes together are one row. A long tag is a long
 * key in each place where it stands: one of a hundred characters takes as long as two contacts.
 */
export function writeWeight(
  { tags, attributes }: Pick<NewContact, "attributes"> & { readonly tags: NewContact["tags"] | undefined },
  rowsForWebhooks: number,
): number {
  const rows = (tags?.length ?? 0) + rowsForWebhooks;
  const tagCharacters = (tags ?? []).reduce((sum, { length }) => sum + length, 0);
  return 1 + rows / 4 + tagCharacters / TAG_CHARACTERS_A_CONTACT + Object.keys(attributes ?? {}).length / 10;
}

const TAG_CHARACTERS_A_CONTACT = 60;
