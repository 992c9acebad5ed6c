import type { Json } from "./rules/model.ts";

/** The screen of contacts with only those whom these rules find. */
export const contactsAddress = (rules: Json): string =>
  `/contacts?rules=${encodeURIComponent(JSON.stringify(rules))}`;
