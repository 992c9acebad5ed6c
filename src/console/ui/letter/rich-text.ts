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

/** Whether this HTML keeps its meaning in the rich text editor. */
export function isRichText(html: string): boolean {
  // A browser would take `{{ "<b>" }}` for a tag.
  if (html.match(LIQUID)?.some((part) => /<[a-z!/?]/i.test(part))) return false;
  let isHeld = true;
  const fail = () => (isHeld = false);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const held = Object.hasOwn(HELD, name) ? HELD[name] : undefined;
        if (!held || Object.keys(attributes).some((attribute) => !held.includes(attribute))) fail();
      },
      oncomment: fail,
      onprocessinginstruction: fail,
    },
    { decodeEntities: false },
  );
  parser.write(html);
  parser.end();
  return isHeld;
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
