import { Tokenizer, type Token } from "parse5";
import { IGNORED_TOKENS } from "./ignored-tokens.ts";
import { isOfMjml, KEEP_TEXT, OpenElements } from "./mjml-elements.ts";

/** A source whose Liquid the compiler keeps, and the places of Liquid that it would still drop. */
type KeptLiquid = { readonly source: string; readonly lost: readonly number[] };

export const LIQUID = /\{[{%]/;
const COMMENT_TAG = /\{%-?\s{0,9}(?:((?:end)?comment)\s{0,9}-?|#[^]{0,1000}?)%\}/g;

/**
 * The text with blanks in place of Liquid's comments: they write nothing, so nothing is lost with them. A comment
 * that does not end stays.
 */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let begun: number | null = null;
  const leaveOut = (start: number, end: number): void => {
    parts.push(text.slice(copied, start), " ".repeat(end - start));
    copied = end;
  };
  for (const { 0: tag, 1: name, index } of text.matchAll(COMMENT_TAG)) {
    const end = index + tag.length;
    if (begun !== null && name === "endcomment") {
      leaveOut(begun, end);
      begun = null;
    } else if (begun === null && name === "comment") begun = index;
    else if (begun === null && name === undefined) leaveOut(index, end);
  }
  return parts.join("") + text.slice(copied);
}

/** The elements whose `mj-raw` children the compiler writes at their place between the others. */
const WITH_RAW_CHILDREN: ReadonlySet<string | null> = new Set([
  "mj-accordion",
  "mj-accordion-element",
  "mj-body",
  "mj-column",
  "mj-group",
  "mj-hero",
  "mj-navbar",
  "mj-section",
  "mj-social",
  "mj-wrapper",
]);

/** Closed or not. */
const keepsText = (tagName: string | null): boolean => tagName !== null && KEEP_TEXT.includes(tagName);

/**
 * Puts text with Liquid that stands between two elements into `<mj-raw>`. The compiler drops text between elements
 * silently, and then both halves of an `{% if %}` would go to everybody. Each line of the source stays a line.
 * @param atMost the most places to tell
 */
export function keepLiquidBetween(source: string, atMost: number): KeptLiquid {
  if (!LIQUID.test(source)) return { source, lost: [] };
  const parts: string[] = [];
  const lost: number[] = [];
  let copied = 0;
  for (const { start, end, parent } of textsBetween(source)) {
    const text = source.slice(start, end);
    const liquid = withoutComments(text).search(LIQUID);
    if (liquid === -1) continue;
    if (WITH_RAW_CHILDREN.has(parent)) {
      parts.push(source.slice(copied, start), "<mj-raw>", text, "</mj-raw>");
      copied = end;
    } else if (lost.length < atMost) lost.push(start + liquid);
  }
  return { source: parts.join("") + source.slice(copied), lost };
}

type TextBetween = { readonly start: number; readonly end: number; readonly parent: string | null };

/** The texts that stand in no element with content, each with the MJML element round it. */
function textsBetween(source: string): TextBetween[] {
  const texts: TextBetween[] = [];
  const elements = new OpenElements();
  let start = 0;
  const endText = ({ location }: Pick<Token.TagToken, "location">): void => {
    const end = location?.startOffset ?? start;
    const parent = elements.innermost;
    if (end > start && !keepsText(parent)) texts.push({ start, end, parent });
    start = location?.endOffset ?? start;
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag(token) {
        endText(token);
        const { tagName, selfClosing } = token;
        if (isOfMjml(tagName) && !selfClosing && !keepsText(elements.innermost))
          elements.enter({ tagName, index: 0 });
      },
      onEndTag(token) {
        endText(token);
        elements.leave(token.tagName);
      },
      onComment: endText,
      onDoctype: endText,
      onEof: endText,
    },
  );
  tokenizer.write(source, true);
  return texts;
}
