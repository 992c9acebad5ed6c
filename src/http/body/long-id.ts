import { isJsonObject, type JsonObject } from "#core/request/json-value.ts";

/** Ids of some services are numbers with more digits than JavaScript holds: two of them would be read as one. */
const LONG_ID = /"externalId"[ \t\r\n]{0,20}:[ \t\r\n]{0,20}-?[0-9]{16}/;
/** To look for the digits is slower than to read a body, and what has such an id is short. */
const CHARACTERS_MAX = 64 * 1024;

/**
 * What was read, with all digits of its `externalId` as a string, if that is a number too long to be read exactly.
 * @param text what it was read from
 */
export function withLongId(value: unknown, text: string): unknown {
  if (text.length > CHARACTERS_MAX || !LONG_ID.test(text) || !isJsonObject(value)) return value;
  const digits = digitsIn(text);
  return Number.isSafeInteger(value["externalId"]) || digits === null
    ? value
    : { ...value, externalId: digits };
}

/** The digits of the outermost object's id; null if it is no whole number. */
function digitsIn(text: string): string | null {
  const ids = new Map<unknown, string>();
  const note = function (
    this: unknown,
    key: string,
    read: unknown,
    { source = "" }: { source?: string },
  ): unknown {
    if (key === "externalId") ids.set(this, source);
    return read;
  };
  const read: JsonObject = JSON.parse(text, note as Parameters<typeof JSON.parse>[1]);
  const digits = ids.get(read) ?? "";
  return /^-?[0-9]+$/.test(digits) ? digits : null;
}
