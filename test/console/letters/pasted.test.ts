/** What comes from the clipboard into a text of a letter. */
import { describe, expect, test } from "bun:test";
import { pastedHtml } from "../../../src/console/ui/letter/pasted.ts";
import { isRichText } from "../../../src/console/ui/letter/rich-text.ts";

const WORD_ITEM = (sign: string, words: string): string =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`;

/** Browsers hand Word's conditions on as comments. */
const chromes = (html: string): string => html.replaceAll(/<!(\[.*?\])>/g, "<!--$1-->");

describe("what is pasted", () => {
  test("from Google Docs is bold only where it was bold", () => {
    const doc = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr" style="line-height:1.38"><span style="font-size:20pt;font-weight:400">News</span></h2><p dir="ltr"><span style="font-weight:700">Bold</span><span style="font-weight:400;font-style:italic"> and slanted</span></p><ul><li dir="ltr"><p dir="ltr"><span>One</span></p></li></ul></b><br class="Apple-interchange-newline">`;
    expect(pastedHtml(doc)).toBe(
      "<h2>News</h2><p><strong>Bold</strong><em> and slanted</em></p><ul><li><p>One</p></li></ul>",
    );
  });

  test("from Word has lists that are lists, and none of Word's own marks", () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style><title>Letter</title></head><body lang=DE><!--StartFragment--><p class=MsoNormal><b><span style='color:red'>Title<o:p></o:p></span></b></p>${WORD_ITEM("·", "one")}${WORD_ITEM("·", "two &amp; <i>more</i>")}${chromes(WORD_ITEM("1.", "first"))}<p class=MsoNormal>After<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`;
    expect(pastedHtml(word)).toBe(
      "<p><strong>Title</strong></p><ul><li>one</li><li>two &amp; <em>more</em></li></ul><ol><li>first</li></ol><p>After</p>",
    );
  });

  test("keeps links that lead somewhere, and no address that runs or names a file", () => {
    const links = `<p><a href="https://example.com/?a=1&amp;b=2" style="color:red" onclick="x()">site</a> <a href="javascript:alert(1)">run</a> <a href="file:///C:/x.docx">file</a> <a name="top">top</a> <a href="{{ webVersionUrl }}">web</a></p>`;
    expect(pastedHtml(links)).toBe(
      `<p><a href="https://example.com/?a=1&amp;b=2">site</a> run file top <a href="{{ webVersionUrl }}">web</a></p>`,
    );
  });

  test("keeps a table's words apart, leaves out images and scripts, and Liquid stays", () => {
    const page = `<table><tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr></table><img src="https://tracker.example/x.png"><script>alert(1)</script><p>Hello {{ contact.firstName | default: "you" }} &lt;3</p>`;
    expect(pastedHtml(page)).toBe(
      "<div>A B </div><div>C D </div><p>Hello {{ contact.firstName | default: &quot;you&quot; }} &lt;3</p>",
    );
  });

  test("from Word is bold and slanted where it was, whatever its styles say of other scripts", () => {
    const words =
      "<p>Only <b style='mso-bidi-font-weight:normal'>today</b>, <i style='mso-bidi-font-style:normal'>now</i>, " +
      "<span style='mso-bidi-font-weight:bold'>plain</span> and <span style='color:red; font-weight:bold'>bold</span></p>";
    expect(pastedHtml(words)).toBe(
      "<p>Only <strong>today</strong>, <em>now</em>, plain and <strong>bold</strong></p>",
    );
  });

  test("from this editor stays as it was", () => {
    const own = `<p data-pm-slice="1 1 []">as <em style="font-style:normal">it</em> was</p>`;
    expect(pastedHtml(own)).toBe(own);
  });

  test("can be held by the editor, whatever is thrown at it", () => {
    for (const text of [
      "<p>one<p>two",
      "<b><p>x</b>y</p>",
      "</p></ul>",
      "<ul><li>a<li>b",
      "<h5 class=x>h",
      "a < b",
    ])
      expect([text, isRichText(pastedHtml(text).replaceAll(/<\/?div>/g, ""))]).toEqual([text, true]);
  });
});
