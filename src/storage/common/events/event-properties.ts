import { fold } from "#core/text/fold.ts";
import { withTexts } from "#core/request/json-texts.ts";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import { isFoldedByDatabase } from "#storage/common/contacts/folded-attributes.ts";

/**
 * JSON of an event's properties with all texts folded; null if a database that only changes A to Z gives the same
 * result.
 */
export const foldedProperties = (properties: JsonObject): string | null =>
  isFolded(properties) ? null : JSON.stringify(withTexts(properties, fold, (name) => name));

function isFolded(value: JsonValue): boolean {
  if (typeof value === "string") return isFoldedByDatabase(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFolded);
}
