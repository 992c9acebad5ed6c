import type { NewContact } from "./contact-input.ts";

/**
 * How much work it is to write a contact, in people without anything: each tag and attribute is a row or an
 * index entry of its own.
 */
export const writeWeight = ({ tags }: { readonly tags: NewContact["tags"] | undefined }): number =>
  1 + (tags?.length ?? 0) / 4;
