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

/** NUL and surrogates, as JSON escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** An object without NUL and lone surrogates, which a database with JSON values refuses, and its JSON. */
export function storableObject(object: JsonObject): { readonly object: JsonObject; readonly json: string } {
  const json = JSON.stringify(object);
  if (!UNSTORABLE.test(json)) return { object, json };
  const storable = withTexts(object, storableText, storableText) as JsonObject;
  return { object: storable, json: JSON.stringify(storable) };
}
