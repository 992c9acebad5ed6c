import { Parser } from "htmlparser2";
import type { Attribute, Element } from "./source-tree.ts";

/** An opening tag. Its bytes stay as they were written until an attribute is set. */
export type Tag = {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly written: string;
};

export const tagOf = (source: string, { name, attributes, start, openEnd }: Element): Tag => ({
  name,
  attributes,
  written: source.slice(start, openEnd),
});

/** An attribute's value, decoded; null if there is none. If a name is there twice, the first counts, as for mjml. */
export function attributeOf(tag: Tag, name: string): string | null {
  const found = tag.attributes.find((attribute) => attribute.name === name);
  return found === undefined ? null : decoded(found.raw);
}

/** The tag with one attribute set (null: removed). Others stay as they are; an unchanged value keeps its bytes. */
export function withAttribute(tag: Tag, name: string, value: string | null): Tag {
  if (attributeOf(tag, name) === value) return tag;
  const others = tag.attributes.filter((attribute) => attribute.name !== name);
  const at = tag.attributes.findIndex((attribute) => attribute.name === name);
  const set: Attribute[] = value === null ? [] : [{ name, raw: encoded(value), quote: '"' }];
  const attributes = others.toSpliced(at < 0 ? others.length : at, 0, ...set);
  return { ...tag, attributes, written: writtenTag(tag, attributes) };
}

function writtenTag(tag: Tag, attributes: readonly Attribute[]): string {
  const members = attributes.map(({ name, raw, quote }) => {
    if (quote === undefined) return ` ${name}`;
    return ` ${name}=${quote ?? ""}${raw}${quote ?? ""}`;
  });
  // An unquoted value would swallow the slash.
  const end = /\/\s*>$/.test(tag.written) ? " />" : ">";
  return `<${tag.name}${members.join("")}${end}`;
}

const decoded = (raw: string): string => raw.replace(/&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/gi, characterOf);

/** What a reference stands for, of all that HTML knows. Another one is the text that it is. */
function characterOf(reference: string): string {
  let character = reference;
  const parser = new Parser({ onattribute: (_, value) => (character = value) });
  parser.write(`<i a="${reference}">`);
  parser.end();
  return character;
}

/**
 * A value for an attribute in double quotes. Liquid runs on mjml's output, where `&quot;` would be four letters:
 * inside its braces, strings get single quotes, and nothing else is changed.
 */
const encoded = (value: string): string =>
  value
    .split(/(\{\{[^{}]*\}\}|\{%[^{}]*%\})/)
    .map((part, at) => (at % 2 === 1 ? liquidQuoted(part) : htmlQuoted(part)))
    .join("");

/** A text as HTML, also inside double quotes. */
export const htmlQuoted = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const liquidQuoted = (part: string): string =>
  /["']/.test(part) && !(part.includes("'") || /[<>]/.test(part))
    ? part.replaceAll('"', "'").replaceAll("&", "&amp;")
    : htmlQuoted(part);
