/** Stands for a character of a value that is not known before the letter is made. */
export const UNKNOWN = "\uE000";

const UNKNOWNS = new RegExp(`${UNKNOWN}+`, "g");

/** For people: each value is one `…`. */
export const withEllipses = (text: string): string => text.replaceAll(UNKNOWNS, "…");

const CLOSE: Readonly<Record<string, string>> = { "{": "}}", "%": "%}" };
/** A tag that writes a value: `echo`, also in the block of `liquid`. */
const ECHO = /^\{%-?\s{0,8}(?:echo\b|liquid\b[^]*?\becho\b)/;
const COMMENT = /^\{%-?\s{0,8}comment\b/;
const END_OF_COMMENT = /\{%-?\s{0,8}endcomment\s{0,8}-?%\}/g;

/**
 * A Liquid source of the same length in which every value, also one of `echo`, is `UNKNOWN` and every tag is blank, or made of `tag`, so
 * that all places stay the same. From a tag on that is never closed, it is unchanged.
 */
export function withoutLiquid(source: string, tag = " "): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = source.indexOf("{"); at !== -1; at = source.indexOf("{", at)) {
    const close = CLOSE[source[at + 1] ?? ""];
    if (close === undefined) {
      at++;
      continue;
    }
    const end = endOf(source, at, close);
    if (end === null) break;
    const output = source.slice(at, end);
    const isValue = close === "}}" || ECHO.test(output);
    parts.push(source.slice(copied, at), output.replaceAll(/[^\n]/g, isValue ? UNKNOWN : tag));
    copied = at = end;
  }
  return parts.join("") + source.slice(copied);
}

/** The position after the tag that begins at `at`, or after all of a comment. */
function endOf(source: string, at: number, close: string): number | null {
  const closed = source.indexOf(close, at + 2);
  if (closed === -1) return null;
  if (!COMMENT.test(source.slice(at, at + 24))) return closed + close.length;
  END_OF_COMMENT.lastIndex = closed;
  return END_OF_COMMENT.exec(source) === null ? null : END_OF_COMMENT.lastIndex;
}
