import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { storedText } from "./stored-text.ts";
import { hasControlCharacter, isLongerThan } from "./text.ts";

/** The limit for names of people and of things. */
export const NAME_CHARACTERS_MAX = 200;

/** Reads free text of a request into its stored form; it may be empty. The refusal names the field. */
export function parseText(field: string, value: unknown, charactersMax: number): Result<string> {
  if (typeof value !== "string") return invalid(`\`${field}\` must be a string.`);
  const text = storedText(value);
  return isLongerThan(text, charactersMax)
    ? invalid(`\`${field}\` is longer than ${charactersMax} characters. Shorten it.`)
    : accept(text);
}

/** Reads the name of a person or a thing; it may be empty. */
export const parseNameText = (field: string, value: unknown): Result<string> =>
  parseText(field, value, NAME_CHARACTERS_MAX);

/** Reads a name that stands in one line, such as that of an address. An empty one is `byDefault`. */
export function parseNameLine(field: string, value: unknown, byDefault = ""): Result<string> {
  const name = parseNameText(field, value);
  if (name.ok && hasControlCharacter(name.value))
    return invalid(`\`${field}\` has a line break or another control character in it. Take it out.`);
  return name.ok ? accept(name.value || byDefault) : name;
}

/** Reads the name of a thing that has to have one. */
export function parseRequiredName(value: unknown): Result<string> {
  if (typeof value !== "string") return invalid("`name` is required and must be a string.");
  const name = parseNameText("name", value);
  return name.ok && name.value === "" ? invalid("`name` must not be empty.") : name;
}

/**
 * Reads one line of a letter; it may be empty. It is trimmed first, so that a line break at the end of a
 * pasted line does no harm. A lone surrogate becomes U+FFFD, because it has no UTF-8 form.
 */
export function parseLine(field: string, value: string, charactersMax: number): Result<string> {
  const line = value.toWellFormed().trim();
  if (isLongerThan(line, charactersMax))
    return invalid(`\`${field}\` is longer than ${charactersMax} characters. Shorten it.`);
  return hasControlCharacter(line)
    ? invalid(`\`${field}\` must be one line without control characters. Take them out.`)
    : accept(line);
}
