import { Parser } from "htmlparser2";

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
  parser.write(html);
  parser.end();
  return isHeld;
}

type Block = { readonly name: string; readonly outer: Block | null; hasBlock: boolean; hasTag: boolean };

/**
 * Text where the editor has no place for it: it would make an item of what stands between items, and a paragraph of what
 * stands beside paragraphs. The latter shows only if nothing was to be seen there: `{% if … %}` and `{% endif %}` around
 * paragraphs would become empty lines.
 */
function looseText(fail: () => void) {
  const blockIn = (outer: Block | null, name: string): Block => ({
    name,
    outer,
    hasBlock: false,
    hasTag: false,
  });
  let inner = blockIn(null, "");
  const check = (): void => {
    if (inner.hasBlock && inner.hasTag) fail();
  };
  return {
    open(name: string): void {
      if (!BLOCKS.has(name)) return;
      inner.hasBlock = true;
      check();
      inner = blockIn(inner, name);
    },
    close(name: string): void {
      if (inner.name === name) inner = inner.outer ?? inner;
    },
    text(text: string): void {
      if (LISTS.has(inner.name) && text.trim() !== "") fail();
      inner.hasTag ||= text.includes("{%");
      check();
    },
  };
}

/**
 * The HTML of the rich text editor, as it is written into the letter: nothing is escaped inside Liquid's braces,
 * and one plain paragraph is written without its tags if the text had none before.
 */
export function writtenRichText(html: string, before: string): string {
  const liquid = html.replace(LIQUID, (part) =>
    part
      .replace(/&(lt|gt|amp|quot|nbsp);/g, (all, name: string) => PLAIN[name] ?? all)
      .replaceAll("\u{a0}", " "),
  );
  if (/<p[\s>]/i.test(before)) return liquid;
  const only = /^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/.exec(liquid);
  return only?.[1] ?? liquid;
}

const PLAIN: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " " };
