import { Parser } from "htmlparser2";

/**
 * MJML as a tree of elements with their places in the source. It is read by the parser that mjml itself uses, with
 * mjml's options, so that the editor and the compiler see the same tags.
 */

export type Attribute = {
  readonly name: string;
  /** As written in the source: entities are not decoded. */
  readonly raw: string;
  /** The quotes around it; null where it has none, undefined where there is no value. */
  readonly quote: string | null | undefined;
};

/** Offsets are UTF-16 units; each `end` is exclusive. */
export type Element = {
  readonly kind: "element";
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  readonly openEnd: number;
  /** Where its closing tag begins; equals `end` where it has none. */
  readonly closeStart: number;
  readonly end: number;
  /** Empty for elements whose content mjml passes on as it is. */
  readonly children: readonly Node[];
};
type Comment = { readonly kind: "comment"; readonly start: number; readonly end: number };
export type Node = Element | Comment;

type Open = { -readonly [K in keyof Element]: K extends "children" ? Node[] : Element[K] };

/**
 * Elements whose content mjml does not parse (`endingTag` of its components), as the server knows them. A test compares
 * both.
 */
const OPAQUE: ReadonlySet<string> = new Set([
  "mj-accordion-text",
  "mj-accordion-title",
  "mj-button",
  "mj-navbar-link",
  "mj-preview",
  "mj-raw",
  "mj-social-element",
  "mj-style",
  "mj-table",
  "mj-text",
  "mj-title",
]);

/** The elements at the top; null if a tag is not closed, or closes what is not open: then the structure is not known. */
export function readTree(source: string): readonly Node[] | null {
  const top: Node[] = [];
  const open: Open[] = [];
  let attributes: Attribute[] = [];
  let opaque = 0;
  let isBroken = false;

  // After `</mj-text >` the parser says that the next part begins at the white space.
  const bracketAt = (from: number) => source.indexOf("<", from);
  const add = (node: Node) => (open.at(-1)?.children ?? top).push(node);
  const begin = (name: string) => {
    const openEnd = parser.endIndex + 1;
    const start = bracketAt(parser.startIndex);
    open.push({
      kind: "element",
      name,
      attributes,
      start,
      openEnd,
      closeStart: openEnd,
      end: openEnd,
      children: [],
    });
  };
  const finish = (isImplied: boolean) => {
    const node = open.pop();
    if (!node) return void (isBroken = true);
    const isOneTag = parser.endIndex + 1 === node.openEnd;
    if (isImplied && !isOneTag) isBroken = true;
    // The parser stops at the end of the name: for `</mj-text >`, the bracket must be found.
    if (!isOneTag)
      [node.closeStart, node.end] = [bracketAt(parser.startIndex), source.indexOf(">", parser.endIndex) + 1];
    add(node);
  };

  const parser = new Parser(
    {
      onopentagname: () => (attributes = []),
      onattribute: (name, raw, quote) => attributes.push({ name, raw, quote }),
      onopentag: (name) => {
        const isOpaque = OPAQUE.has(name);
        if (opaque === 0) begin(name);
        if (isOpaque) opaque++;
      },
      onclosetag: (name, isImplied) => {
        if (OPAQUE.has(name)) opaque--;
        if (opaque === 0) finish(isImplied);
      },
      oncomment: () => {
        if (opaque === 0)
          add({ kind: "comment", start: bracketAt(parser.startIndex), end: parser.endIndex + 1 });
      },
    },
    {
      recognizeCDATA: true,
      decodeEntities: false,
      recognizeSelfClosing: true,
      lowerCaseAttributeNames: false,
    },
  );
  parser.write(source);
  parser.end();
  return isBroken || open.length > 0 || opaque !== 0 ? null : top;
}
