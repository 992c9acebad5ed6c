/**
 * Compiled MJML without what no reader sees: the white space at both ends of its lines, and its empty lines. They
 * are more than a quarter of it. In HTML a line end with white space around it means the same as the line end
 * alone, unless something asks for text as written. A rule of a stylesheet keeps one space before its dot, because
 * a line that begins with a dot needs an encoding (mail/mime/seven-bit.ts).
 */

/**
 * Elements and styles that show white space; also Liquid over several lines, whose texts may contain some. No search
 * goes past the place where the next one begins: together they would take quadratic time.
 */
const AS_WRITTEN =
  /<(?:pre|textarea|xmp|listing|plaintext)\b|white-space(?:(?!white-space)[^;}"'])*(?:pre|break-spaces)|\{[{%](?:(?!\{[{%])[^}\n])*\n/i;

export const withoutIndents = (html: string): string =>
  AS_WRITTEN.test(html)
    ? html
    : html
        .split("\n")
        .map(trimBlanks)
        .filter((line) => line !== "")
        .map((line) => (line.startsWith(".") ? ` ${line}` : line))
        .join("\n");

/** Removes only spaces, tabs and CR: other white space is part of a text. */
function trimBlanks(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d;
