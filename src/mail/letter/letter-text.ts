/** Reads what people write in a letter: its subject, its name and its body. */
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { NAME_CHARACTERS_MAX, parseLine } from "#core/text/name-text.ts";
import { SUBJECT_MAX } from "./subject.ts";

export const BODY_BYTES_MAX = 512 * 1024;

export const parseName = (value: string): Result<string> =>
  parseFilledLine("name", value, NAME_CHARACTERS_MAX);

export const parseSubject = (value: string): Result<string> => parseFilledLine("subject", value, SUBJECT_MAX);

function parseFilledLine(field: string, value: string, charactersMax: number): Result<string> {
  const line = parseLine(field, value, charactersMax);
  return line.ok && line.value === "" ? invalid(`\`${field}\` must not be empty.`) : line;
}

/** HTML or MJML, kept as written; a body counts as empty only if it is all white space. */
export function parseBody(value: string): Result<string> {
  if (value.trim() === "") return invalid("`body` must not be empty.");
  const bytes = Buffer.byteLength(value);
  if (bytes > BODY_BYTES_MAX)
    return invalid(`\`body\` has ${bytes} bytes of UTF-8; at most ${BODY_BYTES_MAX} are allowed.`);
  return accept(value.toWellFormed());
}
