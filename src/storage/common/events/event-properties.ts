import { fold } from "#core/text/fold.ts";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import { storableText } from "#core/text/stored-text.ts";
import { isFoldedByDatabase } from "#storage/common/contacts/folded-attributes.ts";

/** An event's properties without NUL and lone surrogates, which a database with JSON values refuses. */
export const storableProperties = (properties: JsonObject): JsonObject =>
  // NUL and surrogates as JSON escapes.
  /\\u(?:0000|d[89a-f])/i.test(JSON.stringify(properties))
    ? (changed(properties, storableText, storableText) as JsonObject)
    : properties;

/**
 * JSON of an event's properties with all texts folded; null if a database that only changes A to Z gives the same
 * result.
 */
export const foldedProperties = (properties: JsonObject): string | null =>
  isFolded(properties) ? null : JSON.stringify(changed(properties, fold, (name) => name));

function isFolded(value: JsonValue): boolean {
  if (typeof value === "string") return isFoldedByDatabase(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFolded);
}

type Change = (text: string) => string;

/** A value with every text and every member name changed. */
function changed(value: JsonValue, text: Change, name: Change): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => changed(each, text, name));
  const members = Object.entries(value).map(([key, each]) => [name(key), changed(each, text, name)] as const);
  return Object.fromEntries(members);
}
