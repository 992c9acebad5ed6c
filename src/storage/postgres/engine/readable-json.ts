import { sql, type SQL } from "drizzle-orm";

type Template<Part, Whole> = (strings: TemplateStringsArray, ...parts: Part[]) => Whole;

/**
 * JSON that is kept as text, as JSON, for statements that look into it. The text keeps what people wrote,
 * also NUL and half a surrogate pair, and one of them anywhere makes PostgreSQL refuse the whole.
 * `JSON.stringify` writes them as `\u0000` and `\ud83d`, and only control characters else like this. So these
 * escapes are read as the characters they consist of.
 *
 * Not with a regular expression: a file's header may have a million of them, and PostgreSQL needs minutes for so many.
 */
const readable = <Part, Whole>(template: Template<Part, Whole>, text: Part): Whole =>
  // In `\\u0000` the backslash is the text's own. The text has no character 1: in JSON that is an escape as well.
  template`(CASE WHEN strpos(${text}, '\\u') = 0 THEN ${text}
    ELSE replace(replace(replace(${text}, '\\\\', chr(1)), '\\u', '\\\\u'), chr(1), '\\\\') END)::json`;

/** @param text SQL, such as a column's name */
export const readableJson = (text: string): string =>
  readable((strings, ...parts: string[]) => String.raw({ raw: strings }, ...parts), text);

/** The same for Drizzle. */
export const readableJsonIn = (column: unknown): SQL => readable<unknown, SQL>(sql, column);
