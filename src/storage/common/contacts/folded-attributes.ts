import type { Attributes, AttributeValue } from "#attributes/attribute.ts";
import { fold } from "#core/text/fold.ts";

/**
 * JSON of the texts and lists that a database cannot fold by itself, because it only changes A to Z; null if there
 * are none.
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

/** Null if the database gives the same result, and for anything but text. */
function foldedValue(value: AttributeValue): string | string[] | null {
  if (typeof value === "string") return isFoldedByDatabase(value) ? null : fold(value);
  if (typeof value !== "object") return null;
  return value.every(isFoldedByDatabase) ? null : value.map(fold);
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** Whether changing A to Z to lower case is enough to fold a text. */
export function isFoldedByDatabase(text: string): boolean {
  return ASCII.test(text) || fold(text) === text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
