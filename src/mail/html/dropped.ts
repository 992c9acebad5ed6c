import { Tokenizer, type Token } from "parse5";
import { quoted } from "#core/text/text.ts";
import { IGNORED_TOKENS } from "./ignored-tokens.ts";
import { LIQUID } from "./liquid-between.ts";
import { isOfMjml, OpenElements, WITH_CONTENT, type OpenElement } from "./mjml-elements.ts";

/** What the compiler would drop without a word, and where it begins. */
type Dropped = { readonly message: string; readonly index: number };

const IN_MJML: ReadonlySet<string> = new Set(["mj-body", "mj-head", "mj-raw"]);
/** Elsewhere the compiler ends with an error about its own code. */
const IN_HEAD: ReadonlySet<string> = new Set([
  "mj-breakpoint",
  "mj-font",
  "mj-preview",
  "mj-style",
  "mj-title",
]);

/** Not what stands there by mistake: a comma, a blank, a reference to one. */
const WORD = /[\p{L}\p{N}\p{Emoji_Presentation}]/u;
const REFERENCE = /&#?\w{1,31};/g;

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
  let hasMjml = false;
  let textStart = 0;
  const endText = ({ location }: Pick<Token.TagToken, "location">): void => {
    const start = textStart;
    textStart = location?.endOffset ?? start;
    if (!elements.keepText) note(droppedWords(source, start, location?.startOffset ?? start));
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag(token) {
        endText(token);
        const { tagName, selfClosing, location } = token;
        if (!isOfMjml(tagName)) return;
        const element = { tagName, index: location?.startOffset ?? 0 };
        if (!elements.keepText) note(droppedElement(element, elements.innermost, hasMjml));
        hasMjml ||= tagName === "mjml";
        if (!selfClosing) elements.enter(element);
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

function droppedElement(
  { tagName, index }: OpenElement,
  parent: string | null,
  hasMjml: boolean,
): Dropped | null {
  if (tagName === "mj-include")
    return { message: "mj-include: no files are read. Write here what is in the file", index };
  if (tagName === "mjml")
    return hasMjml
      ? { message: "mjml: there are two of them, and one would be lost. Keep one", index }
      : null;
  if (IN_HEAD.has(tagName) && parent !== "mj-head" && parent !== "mj-attributes")
    return { message: `${tagName}: it would be lost. Move it into <mj-head>`, index };
  if (parent !== null && (parent !== "mjml" || IN_MJML.has(tagName))) return null;
  return { message: `${tagName}: it would be lost. Move it into <mj-body>`, index };
}

function droppedWords(source: string, start: number, end: number): Dropped | null {
  const words = source.slice(start, end).trim();
  if (words === "" || LIQUID.test(words) || !WORD.test(words.replaceAll(REFERENCE, ""))) return null;
  const index = source.indexOf(words, start);
  return { message: `${quoted(words)} would be lost. Put it into an element, such as <mj-text>`, index };
}
