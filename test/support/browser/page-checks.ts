/** What every public page must be, checked on the answer that a browser would get. */
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

export const PRIVATE = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

export function expectPrivate(headers: Headers): void {
  const sent = Object.fromEntries(Object.keys(PRIVATE).map((name) => [name, headers.get(name) ?? ""]));
  expect(sent).toEqual(PRIVATE);
  expect(headers.get("set-cookie")).toBeNull();
}

/**
 * Reads a page and checks its headers and its content: no script runs, nothing is loaded, and the only style
 * is the allowed one.
 */
export async function readPage(
  answer: Response,
  more: readonly string[] = [],
  frames = "'none'",
): Promise<string> {
  const text = await answer.text();
  expectPrivate(answer.headers);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const style = /<style>(.*?)<\/style>/s.exec(text)![1]!;
  const hash = createHash("sha256").update(style).digest("base64");
  expect(answer.headers.get("content-security-policy")!.split("; ")).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
    ...more,
  ]);
  expectHarmless(text);
  expectNoIcon(text);
  return text;
}

/** The address of an empty icon. Without one browsers ask for `/favicon.ico`, and complain that the policy forbids it. */
export const NO_ICON = "data:,";

function expectNoIcon(text: string): void {
  const icons = elementsOf(parse(text)).filter(({ tagName }) => tagName === "link");
  const parts = icons.map(({ attrs }) => Object.fromEntries(attrs.map(({ name, value }) => [name, value])));
  expect(parts).toEqual([{ rel: "icon", href: NO_ICON }]);
}

/** No element or attribute that could run, load or lead anywhere but by a person's own click. */
export function expectHarmless(text: string): void {
  for (const element of elementsOf(parse(text))) {
    expect(ALLOWED_ELEMENTS).toContain(element.tagName);
    for (const { name, value } of element.attrs) {
      expect(ALLOWED_ATTRIBUTES).toContain(name);
      if (element.tagName !== "link" && (name === "href" || name === "src"))
        expect(value).toMatch(/^(?:https?:\/\/|\/)/);
    }
  }
}

/** The text of a page as its reader sees it, without the style. */
export function textOf(page: string): string {
  const words: string[] = [];
  const walk = (node: Tree.Node): void => {
    if (node.nodeName === "style" || node.nodeName === "title") return;
    if (node.nodeName === "#text") words.push((node as Tree.TextNode).value);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(parse(page));
  return words.join("").replace(/\s+/g, " ").trim();
}

export function elementsOf(node: Tree.Node): Tree.Element[] {
  const children = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return "attrs" in node ? [node, ...children] : children;
}

/** A sender without a colour or a logo. */
export const plainSender = (name: string) => ({ name, language: "en", brandColor: "", logoUrl: "" }) as const;

const ALLOWED_ELEMENTS =
  "html head meta link title style body main header nav p h1 bdi strong form button code a ol li span time div dl dt dd pre iframe label input fieldset legend h2 img".split(
    " ",
  );
const ALLOWED_ATTRIBUTES =
  "lang charset name content class role method type href datetime src sandbox title target rel aria-label aria-current for id maxlength autocomplete action value required tabindex aria-hidden aria-describedby checked alt referrerpolicy data-1p-ignore data-lpignore data-bwignore data-form-type".split(
    " ",
  );
