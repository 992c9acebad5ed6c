import { isJsonObject } from "#core/request/json-value.ts";

/** To look for the digits is slower than to read a body, and what has such an id is short. */
const CHARACTERS_MAX = 64 * 1024;

/**
 * What was read, with all digits of this member as a string, if it is a whole number too long to be read exactly: ids
 * of some services are, and two of them would be read as one.
 * @param text what it was read from
 */
export function withDigits(value: unknown, text: string, member: string | undefined): unknown {
  if (member === undefined || text.length > CHARACTERS_MAX || !isJsonObject(value)) return value;
  const number = value[member];
  if (typeof number !== "number" || Number.isSafeInteger(number)) return value;
  const digits = digitsIn(text, member);
  return digits === null ? value : { ...value, [member]: digits };
}

/** The digits of the outermost object's member; null if it is no whole number. */
function digitsIn(text: string, member: string): string | null {
  const written = new Map<unknown, string>();
  const note = function (
    this: unknown,
    key: string,
    read: unknown,
    { source = "" }: { source?: string },
  ): unknown {
    if (key === member) written.set(this, source);
    return read;
  };
  const read: unknown = JSON.parse(text, note as Parameters<typeof JSON.parse>[1]);
  const digits = written.get(read) ?? "";
  return /^-?[0-9]+$/.test(digits) ? digits : null;
}
