import { Parser } from "htmlparser2";
import { hasOwnDirections, withDirections, withoutDirections } from "./rich-direction.ts";

/**
 * What the rich text editor can hold. Anything else would be lost when it writes the text, so a text that has it is
 * edited as HTML.
 */
const HELD: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  b: [],
  blockquote: [],
  br: [],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  i: [],
  li: [],
  ol: [],
  p: [],
  s: [],
  strong: [],
  u: [],
  ul: [],
};

const LIQUID = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

const BLOCKS: ReadonlySet<string> = new Set(["blockquote", "h1", "h2", "h3", "li", "ol", "p", "ul"]);
const LISTS: ReadonlySet<string> = new Set(["ol", "ul"]);

/** Whether this HTML keeps its meaning in the rich text editor. */
export function isRichText(html: string): boolean {
  // A browser would take `{{ "<b>" }}` for a tag.
  if (html.match(LIQUID)?.some((part) => /<[a-z!/?]/i.test(part))) return false;
  if (!hasOwnDirections(html)) return false;
  let isHeld = true;
  const fail = () => (isHeld = false);
  const loose = looseText(fail);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const held = Object.hasOwn(HELD, name) ? HELD[name] : undefined;
        if (!held || Object.keys(attributes).some((attribute) => !held.includes(attribute))) fail();
        loose.open(name);
      },
      onclosetag: loose.close,
      ontext: loose.text,
      oncomment: fail,
      onprocessinginstruction: fail,
    },
    { decodeEntities: false },
  );
  parser.write(withoutDirections(html));
  parser.end();
  return isHeld;
}

type Block = {
  readonly name: string;
  readonly outer: Block | null;
  hasBlock: boolean;
  hasTag: boolean;
  hasText: boolean;
};

/**
 * Whether the editor keeps a block of this name where it stands. For it an item begins with a paragraph, and
 * a heading or a paragraph has no blocks: anything else is taken apart.
 */
function hasPlace(name: string, { name: around, hasBlock, hasText }: Block): boolean {
  if (around === "li") return name === "p" || hasBlock || hasText;
  return !/^(?:h[1-3]|p)$/.test(around);
}

/**
 * Blocks and text where the editor has no place for them. It would make an item of text between items, and a
 * paragraph of text beside paragraphs. The latter shows only if nothing was to be seen there: `{% if … %}`
 * and `{% endif %}` around paragraphs would become empty lines.
 */
function looseText(fail: () => void) {
  const blockIn = (outer: Block | null, name: string): Block => ({
    name,
    outer,
    hasBlock: false,
    hasTag: false,
    hasText: false,
  });
  let inner = blockIn(null, "");
  const check = (): void => {
    if (inner.hasBlock && inner.hasTag) fail();
  };
  return {
    open(name: string): void {
      if (!BLOCKS.has(name)) return;
      if (!hasPlace(name, inner)) fail();
      inner.hasBlock = true;
      check();
      inner = blockIn(inner, name);
    },
    close(name: string): void {
      if (inner.name === name) inner = inner.outer ?? inner;
    },
    text(text: string): void {
      if (LISTS.has(inner.name) && text.trim() !== "") fail();
      inner.hasText ||= text.trim() !== "";
      inner.hasTag ||= text.includes("{%");
      check();
    },
  };
}

/** For the editor, which shows an empty paragraph as a line, and a break in it as one more. */
export const shownRichText = (html: string): string =>
  withoutDirections(html)
    .trim()
    .replace(/<p>\s*<br\s*\/?>\s*<\/p>/gi, "<p></p>");

/**
 * An empty line between others. A mail program shows an empty paragraph only if there is a break in it. The editor adds
 * one of its own at the end.
 */
const EMPTY_LINES = /<p><\/p>(?!(?:<p><\/p>)*$)/g;

/**
 * The HTML of the rich text editor, as it is written into the letter: nothing is escaped inside Liquid's braces,
 * empty lines are seen, what is read from the right is marked so, and one plain paragraph without such a mark is
 * written without its tags if the text had none before.
 */
export function writtenRichText(html: string, before: string): string {
  const liquid = html
    .replace(EMPTY_LINES, "<p><br></p>")
    .replace(LIQUID, (part) =>
      part
        .replace(/&(lt|gt|amp|quot|nbsp);/g, (all, name: string) => PLAIN[name] ?? all)
        .replaceAll("\u{a0}", " "),
    );
  const marked = withDirections(liquid);
  if (/<p[\s>]/i.test(before)) return marked;
  const only = /^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/.exec(marked);
  return only?.[1] ?? marked;
}

const PLAIN: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " " };
