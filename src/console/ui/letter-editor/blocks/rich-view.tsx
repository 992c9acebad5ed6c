import { Parser } from "htmlparser2";
import { Fragment, createElement, type ReactNode } from "react";

type Part = { readonly tag: string; readonly dir?: "rtl"; readonly children: ReactNode[] };

/** Elements without attributes but their direction: nothing of a letter can act on the console. */
const SHOWN = new Set([
  "b",
  "blockquote",
  "em",
  "h1",
  "h2",
  "h3",
  "i",
  "li",
  "ol",
  "p",
  "s",
  "strong",
  "u",
  "ul",
]);

/** A letter's HTML roughly as it looks. Anything but plain formatting is shown as its text. */
export function RichView({ html }: { readonly html: string }) {
  return <>{richParts(html)}</>;
}

function richParts(html: string): ReactNode[] {
  const root: Part = { tag: "", children: [] };
  const open: Part[] = [root];
  const add = (node: ReactNode) => (open.at(-1) ?? root).children.push(node);
  const parser = new Parser(
    {
      onopentag: (name, { dir }) => {
        if (name === "br") return;
        open.push({ tag: name, ...(dir === "rtl" && { dir }), children: [] });
      },
      ontext: (text) => add(text),
      onclosetag: (name) => {
        if (name === "br") return add(<br key={keyOf(open)} />);
        const part = open.length > 1 ? open.pop() : undefined;
        if (part) add(shown(part, keyOf(open)));
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  parser.end();
  return root.children;
}

const keyOf = (open: readonly Part[]): number => open.at(-1)?.children.length ?? 0;

function shown({ tag, dir, children }: Part, key: number): ReactNode {
  if (tag === "style" || tag === "script") return null;
  if (tag === "a") return createElement("span", { key, className: "letter-link" }, ...children);
  return SHOWN.has(tag) ? (
    createElement(tag, { key, dir }, ...children)
  ) : (
    <Fragment key={key}>{...children}</Fragment>
  );
}
