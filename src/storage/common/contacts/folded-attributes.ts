import type { Attributes, AttributeValue } from "#attributes/attribute.ts";
import { fold } from "#core/text/fold.ts";

/**
 * JSON of the texts and lists that a database cannot fold by itself, which changes A to Z and nothing else; null where
 * there are none.
 * @param json the attributes as JSON
 */
export function foldedApart(attributes: Attributes, json: string): string | null {
  if (ASCII.test(json)) return null;
  const apart = Object.entries(attributes).flatMap(([name, value]) => {
    const folded = foldedValue(value);
    return folded === null ? [] : [[name, folded] as const];
  });
  return apart.length === 0 ? null : JSON.stringify(Object.fromEntries(apart));
}

/** Null where the database gives the same, and for what is no text. */
function foldedValue(value: AttributeValue): string | string[] | null {
  if (typeof value === "string") return isFoldedByDatabase(value) ? null : fold(value);
  if (typeof value !== "object") return null;
  return value.every(isFoldedByDatabase) ? null : value.map(fold);
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** Whether lower case of A to Z alone folds a text. */
export function isFoldedByDatabase(text: string): boolean {
  return ASCII.test(text) || fold(text) === text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
