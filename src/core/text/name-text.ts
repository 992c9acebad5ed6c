import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { storedText } from "./stored-text.ts";
import { hasControlCharacter, isLongerThan } from "./text.ts";

/** The limit for names of people, lists, forms and automations. */
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

/** Reads a name that stands in one line. An empty one is `byDefault`. */
export function parseNameLine(field: string, value: string, byDefault: string): Result<string> {
  const name = parseNameText(field, value);
  if (name.ok && hasControlCharacter(name.value))
    return invalid(`\`${field}\` has a line break or another control character in it. Take it out.`);
  return name.ok ? accept(name.value || byDefault) : name;
}
