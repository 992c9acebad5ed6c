import type { NewContact } from "./contact-input.ts";

/**
 * How much work it is to write a contact, counted in contacts that have only an address: each tag, and each of the rows
 * that webhooks add, is a row and an index entry of its own, and the attributes together are one row. A long tag is a long
 * key in each place where it stands.
 */
export function writeWeight(
  { tags, attributes }: Pick<NewContact, "attributes"> & { readonly tags: NewContact["tags"] | undefined },
  rowsForWebhooks: number,
): number {
  const ofTags = (tags ?? []).reduce((sum, tag) => sum + Math.max(A_ROW, tag.length * A_TAG_CHARACTER), 0);
  return 1 + ofTags + rowsForWebhooks * A_ROW + Object.keys(attributes ?? {}).length / 10;
}

const A_ROW = 1 / 4;
/** One of a hundred characters takes as long as two contacts. */
const A_TAG_CHARACTER = 1 / 50;
