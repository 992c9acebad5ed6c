import type { Json } from "../../audience/rules/model.ts";

/** Everybody, as rules, for routes that need some. */
const ANYBODY: Json = { field: "email", op: "exists" };

/** The same people without these addresses, by rules. */
export function rulesWithout(rules: Json, emails: readonly string[]): Json {
  if (emails.length === 0) return rules;
  return { all: [rules, ...emails.map((value): Json => ({ field: "email", op: "notEquals", value }))] };
}

/** The same people as with `q`, by rules. */
export function rulesWithSearch(rules: Json | null, q: string): Json {
  if (q === "") return rules ?? ANYBODY;
  const search: Json = {
    any: ["email", "firstName", "lastName"].map((field) => ({ field, op: "contains", value: q })),
  };
  return rules === null ? search : { all: [rules, search] };
}

/** An `@`, and after it a letter outside ASCII. */
const FOREIGN_DOMAIN = /@[^@]*[\u0080-\uFFFF][^@]*$/;

/**
 * The rules by which the table asks; null: by `q` alone, which costs less. With a domain that is not ASCII `q` looks for
 * its stored form, in names too, where rules look for what was typed: by rules, "Choose all" means who is shown.
 */
export const rulesOfTable = (rules: Json | null, q: string): Json | null =>
  rules === null && !FOREIGN_DOMAIN.test(q) ? null : rulesWithSearch(rules, q);
