import { storableText } from "#core/text/stored-text.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

type Change = (text: string) => string;

/** A value with every text and every member name changed. */
export function withTexts(value: JsonValue, text: Change, name: Change): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => withTexts(each, text, name));
  const members = Object.entries(value).map(
    ([key, each]) => [name(key), withTexts(each, text, name)] as const,
  );
  return Object.fromEntries(members);
}

/** An object without NUL and lone surrogates, which a database with JSON values refuses. */
export const storableObject = (object: JsonObject): JsonObject =>
  // NUL and surrogates as JSON escapes.
  /\\u(?:0000|d[89a-f])/i.test(JSON.stringify(object))
    ? (withTexts(object, storableText, storableText) as JsonObject)
    : object;
