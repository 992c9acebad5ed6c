/** Reads what people write in a letter: its subject, its name and its body. */
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { hasControlCharacter, isLongerThan } from "#core/text/text.ts";
import { SUBJECT_MAX } from "./subject.ts";

export const NAME_CHARACTERS_MAX = 200;
export const BODY_BYTES_MAX = 512 * 1024;

export const parseName = (value: string): Result<string> => parseLine("name", value, NAME_CHARACTERS_MAX);

export const parseSubject = (value: string): Result<string> => parseLine("subject", value, SUBJECT_MAX);

/**
 * Trimmed first, so that a line break at the end of a pasted line does no harm. A lone surrogate becomes
 * U+FFFD, because it has no UTF-8 form.
 */
function parseLine(field: string, value: string, charactersMax: number): Result<string> {
  const line = value.toWellFormed().trim();
  if (line === "") return invalid(`\`${field}\` must not be empty.`);
  if (isLongerThan(line, charactersMax))
    return invalid(`\`${field}\` is longer than ${charactersMax} characters. Shorten it.`);
  if (hasControlCharacter(line))
    return invalid(`\`${field}\` must be one line without control characters. Take them out.`);
  return accept(line);
}

/** HTML or MJML, kept as written; a body counts as empty only if it is all white space. */
export function parseBody(value: string): Result<string> {
  if (value.trim() === "") return invalid("`body` must not be empty.");
  const bytes = Buffer.byteLength(value);
  if (bytes > BODY_BYTES_MAX)
    return invalid(`\`body\` has ${bytes} bytes of UTF-8; at most ${BODY_BYTES_MAX} are allowed.`);
  return accept(value.toWellFormed());
}
