import { describe, expect, test } from "bun:test";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { placeFooter } from "#mail/html/footer-place.ts";
import {
  BASE_URL,
  grace,
  mailing,
  received,
  withoutFooter,
} from "../../support/sending/marketing-fixture.ts";

const UNSUBSCRIBE = `${BASE_URL}/u/${grace().tokens.unsubscribe}`;

/** Bodies that would swallow or hide whatever is written after them. */
const UNCLOSED: Record<string, string> = {
  nothing: "",
  "plain text": "Hello",
  "a paragraph": "<p>Hello",
  "a tag": "<p>Hello</p><p class",
  "a tag name": "<p>Hello</p><di",
  "less-than": "<p>Hello</p><",
  "an end tag": "<p>Hello</",
  "an unquoted attribute": "<a href=https://example.com/",
  "a double-quoted attribute": '<p>Hello <a href="https://example.com/',
  "a single-quoted attribute": "<p>Hello <a href='https://example.com/",
  "a quote in the middle": '<a href="https://example.com/>Hello</a><p>to you</p>',
  "a comment": "<p>Hello</p><!-- secret <b>",
  "the start of a comment": "<p>Hello</p><!--",
  "half the start of a comment": "<p>Hello</p><!-",
  "a bogus comment": "<p>Hello</p><!x",
  "a conditional comment": "<p>Hello</p><!--[if mso]><table><tr><td>",
  "a style": "<style>p { color: red }",
  "a style in the head": "<html><head><style>p { color: red }</head><body><p>Hello</p></body></html>",
  "a style with a comment": "<style><!-- p { color: red }",
  "a script": "<p>Hello</p><script>var a = '",
  "a script in a script": "<p>Hello</p><script><!-- <script> ",
  "a title": "<html><head><title>Hello",
  "a textarea": "<form><textarea>Hello",
  "an xmp": "<xmp>Hello",
  "an iframe": "<iframe>Hello",
  "a noembed": "<noembed>Hello",
  "a noframes": "<noframes>Hello",
  "a noscript": "<noscript>Hello",
  "a noscript with a comment": "<noscript><!-- Hello",
  plaintext: "<p>Hello</p><plaintext>",
  "plaintext in a page": "<!doctype html><html><body class=x><p>Hello</p><plaintext></body></html>",
  "a hidden div": '<div style="display:none">Hello',
  "a hidden div in a page": '<html><body><div style="display:none"><p>Hello</body></html>',
  "many divs": "<div hidden>".repeat(300),
  "bold and italics": "<b><i><font color=white size=1>Hello",
  "formatting that comes back": "<p><font color=white><b>Hello</p>",
  "misnested formatting": "<b><p><i>Hello</b> there",
  "a link": '<a href="https://example.com/">Hello',
  "a table": "<table>",
  "a cell": "<html><body><table><tr><td style='display:none'>Hello</body></html>",
  "a caption": "<table><caption>Hello",
  "a table in a table": "<table><tr><td><table><tr><td>Hello",
  "a select": "<select><option>Hello",
  "a select with a broken tag": '<select><option>Hello<option value="',
  "a template": "<template><p>Hello",
  "templates in templates": "<template><div><template><p>Hello",
  "an svg": "<svg><g>",
  "an svg text": "<svg><foreignObject><p>Hello",
  "an svg title": "<svg><title>Hello",
  "an svg cdata": "<svg><![CDATA[ Hello",
  "math text": "<math><mtext><p>Hello",
  "a button": "<button disabled>Hello",
  details: "<details><summary>More</summary>Hello",
  "an object": "<object data=x>Hello",
  "a list": "<ul><li><ol><li>Hello",
  "a heading": "<h1>Hello",
  "a doctype": "<!DOCTYPE html PUBLIC 'x",
  "a frameset": "<html><frameset cols=50%,50%><frame src=a></frameset></html>",
  "text after the body": "<html><body><p>Hello</p></body></html><div hidden>more",
  "a comment after the body": "<html><body><p>Hello</p></body></html><!-- more",
  "a body end in a comment": "<html><body><p>Hello</p><!-- </body></html>",
  "a body end in an attribute": '<html><body><p title="</body>">Hello</p>',
  "two body ends": "<html><body><p>Hello</body><p>more</body></html>",
  "more depth than anyone means": "<div hidden>".repeat(20_000),
  "formatting that multiplies":
    Array.from({ length: 2_000 }, (_, i) => `<b id=${i}>`).join("") + "<p>x".repeat(2_000),
};

describe("The footer stands outside anything the author left unclosed", () => {
  test.each(Object.entries(UNCLOSED))("%s", async (_, html) => {
    const message = await received(mailing({ html, trackClicks: false }));
    for (const scriptingEnabled of [false, true]) {
      const page = parse(message.html, { scriptingEnabled });
      expect(ancestorsOf(page, "a", "href", UNSUBSCRIBE)).toEqual(["div", "body", "html", "#document"]);
      expect(ancestorsOf(page, "img", "src", `${BASE_URL}/o/${grace().tokens.open}`)).toHaveLength(4);
    }
    expect(message.text).toContain(UNSUBSCRIBE);
    expect(message.text).toContain("12 St James's Square\nLondon SW1Y 4JH");
  });

  test.each(Object.entries(UNCLOSED))("and leaves all of it in place: %s", async (_, html) => {
    const { before, after } = withoutFooter((await received(mailing({ html, trackClicks: false }))).html);
    const closing = before.slice(html.length - after.length);
    expect(before.slice(0, html.length - after.length) + after).toBe(html);
    expect(closing).toMatch(/^(?:["']?>|(?:<!\[endif\])?-->|\]\]>)?(?:<\/[A-Za-z0-9]+>)*$/);
  });

  test("and after all of it, an open table too", () => {
    for (const html of [
      "<p>x</p><table>",
      "<table><tr>",
      "<table><tbody><tr><td>x</td>",
      "<select><option>x",
      "<title>x",
      "<style>x",
      "<script><!--<script>",
    ]) {
      expect(placeFooter(html, "<div>f</div>")).toMatchObject({ at: html.length });
      expect(placeFooter(html, "<div>f</div>").added).toMatch(/^(?:-->)?(?:<\/\w+>)+<div>f<\/div>$/);
    }
  });

  test("what is closed gets no end tags, and the footer stands before </body>", () => {
    const html = "<html><body><table><tr><td>Hello</td></tr></table></body></html>\n";
    expect(placeFooter(html, "<div></div>")).toEqual({ at: html.indexOf("</body>"), added: "<div></div>" });
  });
});

describe("The footer's direction is its postal address's, whatever the author's page has", () => {
  const RTL_PAGE = '<html dir="rtl" lang="he"><body dir="rtl"><p>שלום</p></body></html>';
  test.each([
    [RTL_PAGE, "12 St James's Square, London", "ltr"],
    [RTL_PAGE, "רחוב הרצל 12, תל אביב", "rtl"],
    ["<p>Hello</p>", "12 شارع الملك فيصل", "rtl"],
    ["<p>Hello</p>", "〒100-0001 東京都千代田区", "ltr"],
    ["<p>Hello</p>", "12-14", "ltr"],
    ['<div dir="rtl">never closed', "Straße 1", "ltr"],
  ])("%s, %s: %s", async (html, mailingAddress, direction) => {
    const { footer } = withoutFooter((await received(mailing({ html, mailingAddress }))).html);
    expect(footer).toMatch(new RegExp(`^<div [^>]*dir="${direction}"[^>]*>`));
  });
});

describe("The footer's own text", () => {
  test("cannot bring markup of its own", async () => {
    const evil = `</div><script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;
    const message = await received(
      mailing({ workspaceName: evil, mailingAddress: `${evil}\r\n${evil}\u2028end` }),
    );
    const { footer } = withoutFooter(message.html);
    expect(footer).not.toMatch(/<(?!\/?(?:div|br|a|img)\b)/);
    expect([...footer.matchAll(/<img/g)]).toHaveLength(1);
    expect(message.text).toContain(evil);
  });

  test("has no pixel where opens are not tracked", async () => {
    const message = await received(mailing({ trackOpens: false }));
    expect(message.html).not.toContain("<img");
    expect(message.raw).not.toContain("/o/");
  });
});

/** Names from the parent up to the document, of the one element that has this attribute. */
function ancestorsOf(page: Tree.Document, tagName: string, name: string, value: string): string[] {
  const found: Tree.Element[] = [];
  const waiting: Tree.Node[] = [page];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (
      "tagName" in node &&
      node.tagName === tagName &&
      node.attrs.some((a) => a.name === name && a.value === value)
    )
      found.push(node);
    if ("childNodes" in node) waiting.push(...node.childNodes);
  }
  expect(found).toHaveLength(1);
  const names: string[] = [];
  for (
    let node: Tree.Node | null = found[0]!.parentNode;
    node;
    node = "parentNode" in node ? node.parentNode : null
  )
    names.push(node.nodeName);
  return names;
}
