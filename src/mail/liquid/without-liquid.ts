import { nextTag, type LiquidTag } from "./liquid-tags.ts";

/** Stands for a character of a value that is not known before the letter is made. */
export const UNKNOWN = "\uE000";

const UNKNOWNS = new RegExp(`${UNKNOWN}+`, "g");

/** For people: each value is one `…`. */
export const withEllipses = (text: string): string => text.replaceAll(UNKNOWNS, "…");

/** A tag that writes a value: `echo`, also in the block of `liquid`. */
const ECHO = /^\{%-?\s{0,8}(?:echo\b|liquid\b[^]*?\becho\b)/;
const COMMENT = /^\{%-?\s{0,8}comment\b/;
const END_OF_COMMENT = /\{%-?\s{0,8}endcomment\s{0,8}-?%\}/g;

/**
 * A Liquid source of the same length and with the same lines, so that all places stay the same. Each value, also one of
 * `echo`, is `UNKNOWN`, and each tag is blank. From a tag on that is never closed, it is unchanged.
 */
export const withoutLiquid = (source: string): string =>
  withTagsAs(source, (tag, isValue) => tag.replaceAll(/[^\n]/g, isValue ? UNKNOWN : " "));

/**
 * The source with something else for each tag and each comment. It must be as long as what it stands for.
 * @param shown `isValue`: it writes a value
 */
export function withTagsAs(source: string, shown: (tag: string, isValue: boolean) => string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let tag = nextTag(source, 0); tag !== null; tag = nextTag(source, copied)) {
    const end = endOf(source, tag);
    if (end === null) break;
    const text = source.slice(tag.begin, end);
    parts.push(source.slice(copied, tag.begin), shown(text, tag.isOutput || ECHO.test(text)));
    copied = end;
  }
  return parts.join("") + source.slice(copied);
}

/** The position behind a tag, or behind all of a comment; null for a comment that never ends. */
function endOf(source: string, { begin, end }: LiquidTag): number | null {
  if (!COMMENT.test(source.slice(begin, begin + 24))) return end;
  END_OF_COMMENT.lastIndex = end;
  return END_OF_COMMENT.exec(source) === null ? null : END_OF_COMMENT.lastIndex;
}
