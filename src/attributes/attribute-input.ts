import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isJsonObject } from "#core/request/json-value.ts";
import { storableText } from "#core/text/stored-text.ts";
import { isLongerThan, quoted } from "#core/text/text.ts";
import { isAttributeName, type AttributeValue } from "./attribute.ts";

export const ATTRIBUTE_CHARACTERS_MAX = 1_000;
export const ATTRIBUTE_ENTRIES_MAX = 50;
/** Removals count too. Nobody means to send more at once. */
const MEMBERS_MAX = 1_000;

/** What a request says about some attributes of a contact; null removes one. Others stay as they are. */
export type AttributeChange = Readonly<Record<string, AttributeValue | null>>;

/**
 * Reads the member `attributes` of a body (docs/contract.md "Attributes of contacts"). Strings are kept as
 * they are, also empty ones; characters that cannot be stored are taken out (`storableText`).
 * `mergeAttributes` checks the limits of the whole.
 */
export function parseAttributes(value: unknown): Result<AttributeChange> {
  if (!isJsonObject(value)) return invalid('`attributes` must be an object, like {"city": "Berlin"}.');
  const members = Object.entries(value);
  if (members.length > MEMBERS_MAX)
    return invalid(`\`attributes\` has ${members.length} members; send at most ${MEMBERS_MAX} at once.`);
  const change: Record<string, AttributeValue | null> = {};
  for (const [name, given] of members) {
    if (!isAttributeName(name)) return invalid(notAName(name));
    const read = given === null ? accept(null) : parseAttributeValue(`attributes.${name}`, given);
    if (!read.ok) return read;
    change[name] = read.value;
  }
  return accept(change);
}

/** Why a text cannot be the name of an attribute, for the person who chose it. */
export const notAName = (name: string): string =>
  `The attribute name ${quoted(name)} is not allowed. Use a letter A to Z, then letters, digits and _, at most 64 characters: \`favourite_colour\`.`;

/** Reads one value. `path` names it in the refusal. */
export function parseAttributeValue(path: string, value: unknown): Result<AttributeValue> {
  if (typeof value === "string") return parseString(path, value);
  if (typeof value === "boolean") return accept(value);
  if (typeof value === "number")
    return Number.isFinite(value)
      ? accept(value)
      : invalid(`\`${path}\` is too large a number. Send a smaller one, or a string.`);
  if (Array.isArray(value)) return parseList(path, value);
  return invalid(
    `\`${path}\` must be a string, a number, true or false, or an array of strings; null removes it.`,
  );
}

function parseList(path: string, entries: readonly unknown[]): Result<string[]> {
  if (entries.length > ATTRIBUTE_ENTRIES_MAX)
    return invalid(
      `\`${path}\` has ${entries.length} entries; at most ${ATTRIBUTE_ENTRIES_MAX} are allowed.`,
    );
  const list: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (typeof entry !== "string") return invalid(`\`${path}[${index}]\` must be a string.`);
    const text = parseString(`${path}[${index}]`, entry);
    if (!text.ok) return text;
    list.push(text.value);
  }
  return accept(list);
}

function parseString(path: string, value: string): Result<string> {
  const text = storableText(value);
  return isLongerThan(text, ATTRIBUTE_CHARACTERS_MAX)
    ? invalid(`\`${path}\` is longer than ${ATTRIBUTE_CHARACTERS_MAX} characters. Shorten it.`)
    : accept(text);
}
