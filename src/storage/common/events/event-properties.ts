import { fold } from "#core/text/fold.ts";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import { storableText } from "#core/text/stored-text.ts";
import { isFoldedByDatabase } from "#storage/common/contacts/folded-attributes.ts";

/** Properties of an event as a database takes them that holds JSON as values: without NUL and lone surrogates. */
export const storableProperties = (properties: JsonObject): JsonObject =>
  // As JSON writes them.
  /\\u(?:0000|d[89a-f])/i.test(JSON.stringify(properties))
    ? (changed(properties, storableText, storableText) as JsonObject)
    : properties;

/**
 * JSON of an event's properties with all their texts folded; null where a database that changes A to Z and nothing else
 * gives the same.
 */
export const foldedProperties = (properties: JsonObject): string | null =>
  isFolded(properties) ? null : JSON.stringify(changed(properties, fold, (name) => name));

function isFolded(value: JsonValue): boolean {
  if (typeof value === "string") return isFoldedByDatabase(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFolded);
}

type Change = (text: string) => string;

/** A value with each of its texts changed, and the names of its members. */
function changed(value: JsonValue, text: Change, name: Change): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => changed(each, text, name));
  const members = Object.entries(value).map(([key, each]) => [name(key), changed(each, text, name)] as const);
  return Object.fromEntries(members);
}
