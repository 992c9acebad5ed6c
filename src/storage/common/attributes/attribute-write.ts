import type { Attributes } from "#attributes/attribute.ts";

/** One contact's attributes before and after, by its row number. */
export type AttributeWrite = {
  readonly contact: number;
  readonly before: Attributes;
  readonly after: Attributes;
};
