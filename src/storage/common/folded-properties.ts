import { fold } from "#core/fold.ts";
import type { JsonObject, JsonValue } from "#core/json-value.ts";
import { isFoldedByDatabase } from "./folded-attributes.ts";

/**
 * JSON of an event's properties with all their texts folded; null where a database that changes A to Z and nothing else
 * gives the same.
 */
export const foldedProperties = (properties: JsonObject): string | null =>
  isFolded(properties) ? null : JSON.stringify(foldedValue(properties));

function isFolded(value: JsonValue): boolean {
  if (typeof value === "string") return isFoldedByDatabase(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFolded);
}

function foldedValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return fold(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? value.map(foldedValue)
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, foldedValue(each)]));
}
