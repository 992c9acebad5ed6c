import type { NewContact } from "./contact-input.ts";

/**
 * How much work it is to write a contact, counted in contacts that have only an address: each tag, and each of the rows
 * that webhooks add, is a row and an index entry of its own, and the attributes together are one row.
 */
export function writeWeight(
  { tags, attributes }: Pick<NewContact, "attributes"> & { readonly tags: NewContact["tags"] | undefined },
  rowsForWebhooks: number,
): number {
  return 1 + ((tags?.length ?? 0) + rowsForWebhooks) / 4 + Object.keys(attributes ?? {}).length / 10;
}
