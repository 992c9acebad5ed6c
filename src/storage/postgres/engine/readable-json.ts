/**
 * JSON that is kept as text, as JSON, for statements that look into it. The text keeps what people wrote, also NUL and half
 * a surrogate pair, and one of them anywhere makes PostgreSQL refuse the whole. `JSON.stringify` writes them as `\u0000` and
 * `\ud83d`, and only control characters else like this. So these escapes are read as the characters they consist of.
 *
 * Not with a regular expression: a file's header may have a million of them, and PostgreSQL needs minutes for so many.
 * @param text SQL, such as a column's name
 */
export function readableJson(text: string): string {
  // In `\\u0000` the backslash is the text's own. The text has no character 1: in JSON that is an escape as well.
  const apart = String.raw`replace(${text}, '\\', chr(1))`;
  const read = String.raw`replace(replace(${apart}, '\u', '\\u'), chr(1), '\\')`;
  return String.raw`(CASE WHEN strpos(${text}, '\u') = 0 THEN ${text} ELSE ${read} END)::json`;
}
