/** Whatever is added to a letter, browsers lay it out by the rules that its doctype asks for. */
import { describe, expect, test } from "bun:test";
import { parse } from "parse5";
import { frameResponse } from "#pages/mailbox/frame.ts";
import { letterPage } from "#pages/letter-page.ts";
import { mailing, received } from "../../support/sending/marketing-fixture.ts";

const STRICT =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';
const PAGE = '<html lang="en"><head><title>T</title></head><body class="b"><p>Hello</p></body></html>';

/** As browsers do: they take the mark off before they parse. */
const modeOf = (html: string): string => parse(html.replace(/^\uFEFF/, "")).mode;

describe.each([
  ["a doctype", `<!doctype html>${PAGE}`, "no-quirks"],
  ["a comment before it", `<!-- made by a tool --><!doctype html>${PAGE}`, "no-quirks"],
  ["several", `\n<!-- a > b --><!--> <!---> <!-- c --!>\n<!DOCTYPE HTML>\n<!-- d -->${PAGE}`, "no-quirks"],
  ["XML's line", `<?xml version="1.0" encoding="UTF-8"?>\n${STRICT}${PAGE}`, "no-quirks"],
  ["a byte order mark", `\uFEFF<!doctype html>${PAGE}`, "no-quirks"],
  ["a mark and a comment", `\uFEFF<!-- c --><!doctype html>${PAGE}`, "no-quirks"],
  ["none", PAGE, "quirks"],
  ["a comment that never ends", `<!-- <!doctype html>${PAGE}`, "quirks"],
  ["one that comes too late", `x<!doctype html>${PAGE}`, "quirks"],
])("a letter with %s", (_, html, mode) => {
  test("as it is sent, with a preheader", async () => {
    const letter = { ...mailing({ html }), preheader: ["Soon"] };
    const sent = await received(letter);
    expect(modeOf(html)).toBe(mode);
    expect(modeOf(sent.html)).toBe(mode);
    if (html.includes("<body class") && mode === "no-quirks")
      expect(sent.html).toMatch(/<body class="b"><div [^>]*>Soon/);
  });

  test("as a page of its own, and in a frame", async () => {
    for (const page of [letterPage(html), frameResponse(html, true)])
      expect(modeOf(await page.text())).toBe(mode);
  });
});

test("thousands of comments cost no time", async () => {
  const html = "<!-- -->".repeat(50_000);
  const page = await frameResponse(html, false).text();
  expect(page.length).toBeGreaterThan(html.length);
});
