import { accept, invalid, type Result } from "./errors.ts";
import { storedText } from "./stored-text.ts";
import { isLongerThan } from "./text.ts";

/** Of names of people, lists, forms, automations. */
export const NAME_CHARACTERS_MAX = 200;

/** Free text of a request in its stored form; it may be empty. The refusal names the field. */
export function parseText(field: string, value: unknown, charactersMax: number): Result<string> {
  if (typeof value !== "string") return invalid(`\`${field}\` must be a string.`);
  const text = storedText(value);
  return isLongerThan(text, charactersMax)
    ? invalid(`\`${field}\` is longer than ${charactersMax} characters. Shorten it.`)
    : accept(text);
}

/** The name of something or somebody; it may be empty. */
export const parseNameText = (field: string, value: unknown): Result<string> =>
  parseText(field, value, NAME_CHARACTERS_MAX);
