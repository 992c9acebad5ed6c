import { Tokenizer, type Token } from "parse5";
import { quoted } from "#core/text/text.ts";
import { IGNORED_TOKENS } from "./ignored-tokens.ts";
import { LIQUID, withoutComments } from "./liquid-between.ts";
import { isOfMjml, OpenElements, WITH_CONTENT, type OpenElement } from "./mjml-elements.ts";

/** What the compiler would drop without a word, and where it begins. */
type Dropped = { readonly message: string; readonly index: number };

/** The compiler takes only the first of each. */
const ONCE: ReadonlySet<string> = new Set(["mjml", "mj-head", "mj-body"]);
/** In them, names of elements only say whose attributes are meant. */
const OF_ATTRIBUTES: ReadonlySet<string> = new Set(["mj-attributes", "mj-all", "mj-class"]);
/** In the body the compiler ends with an error about its own code. */
const IN_HEAD: ReadonlySet<string> = new Set([
  "mj-attributes",
  "mj-breakpoint",
  "mj-font",
  "mj-html-attributes",
  "mj-preview",
  "mj-style",
  "mj-title",
]);

/** Not what stands there by mistake: a comma, a blank, a reference to one. */
const WORD = /[\p{L}\p{N}\p{Emoji_Presentation}]/u;
const REFERENCE = /&(?:#?\w{1,31};|nbsp)/g;

/**
 * Everything in a source that the compiler would drop, as far as words are lost. Liquid between elements is
 * not looked at (liquid-between.ts), and HTML elements are ignored.
 */
export function droppedIn(source: string, atMost: number): Dropped[] {
  const found: Dropped[] = [];
  const note = (dropped: Dropped | null): void => {
    if (dropped !== null && found.length < atMost) found.push(dropped);
  };
  const elements = new OpenElements();
  const seen = new Set<string>();
  const written = withoutComments(source);
  let textStart = 0;
  const endText = ({ location }: Pick<Token.TagToken, "location">): void => {
    const start = textStart;
    textStart = location?.endOffset ?? start;
    if (!elements.keepText) note(droppedWords(written, start, location?.startOffset ?? start));
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag(token) {
        endText(token);
        const { tagName, selfClosing, location } = token;
        if (!isOfMjml(tagName)) return;
        const index = location?.startOffset ?? 0;
        if (!elements.keepText) {
          const dropped = droppedElement(token, elements.innermost, seen);
          if (dropped !== null) note({ message: `${tagName}: ${dropped}`, index });
        }
        if (!selfClosing) elements.enter({ tagName, index });
      },
      onEndTag(token) {
        endText(token);
        if (!isEndMissed(source, token)) note(unclosed(elements.leave(token.tagName)));
      },
      onComment: endText,
      onDoctype: endText,
      onEof: endText,
    },
  );
  tokenizer.write(source, true);
  note(unclosed(elements.leaveAll()));
  return found;
}

/** Of elements that were left open, the outermost with content has lost its closing tag. */
function unclosed(leftOpen: readonly OpenElement[]): Dropped | null {
  const lost = leftOpen.findLast(({ tagName }) => WITH_CONTENT.has(tagName));
  if (lost === undefined) return null;
  const { tagName, index } = lost;
  return {
    message: `${tagName}: its end is missing, and what is in it would be lost. Write </${tagName}>`,
    index,
  };
}

/** Of elements with content, the compiler knows only ends in small letters. */
function isEndMissed(source: string, { tagName, location }: Token.TagToken): boolean {
  const start = (location?.startOffset ?? 0) + "</".length;
  return WITH_CONTENT.has(tagName) && !source.startsWith(tagName, start);
}

/** @param seen which of `ONCE` came before, at their place */
function droppedElement(
  { tagName, attrs }: Token.TagToken,
  parent: string | null,
  seen: Set<string>,
): string | null {
  if (tagName === "mj-include") return "no files are read. Write here what is in the file";
  if (parent !== null && OF_ATTRIBUTES.has(parent)) return null;
  if (ONCE.has(tagName)) {
    if (tagName !== "mjml" && parent !== "mjml") return "it would be lost. Move it directly into <mjml>";
    if (seen.has(tagName)) return "there are two of them, and one would be lost. Keep one";
    seen.add(tagName);
    return null;
  }
  if (IN_HEAD.has(tagName)) return parent === "mj-head" ? null : "it would be lost. Move it into <mj-head>";
  if (tagName === "mj-raw" && parent === "mjml" && isBeforePage(attrs)) return null;
  if (parent !== null && parent !== "mjml" && (parent !== "mj-head" || tagName === "mj-raw")) return null;
  return "it would be lost. Move it into <mj-body>";
}

const isBeforePage = (attrs: Token.TagToken["attrs"]): boolean =>
  attrs.some(({ name, value }) => name === "position" && value === "file-start");

/** @param source without Liquid's comments */
function droppedWords(source: string, start: number, end: number): Dropped | null {
  const words = source.slice(start, end).trim();
  if (words === "" || LIQUID.test(words) || !WORD.test(words.replaceAll(REFERENCE, ""))) return null;
  const index = source.indexOf(words, start);
  return { message: `${quoted(words)} would be lost. Put it into an element, such as <mj-text>`, index };
}
