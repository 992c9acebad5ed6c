/** Outlook on Windows reads some comments as conditions. What we add to a letter is for its readers too. */
import { describe, expect, test } from "bun:test";
import { parse } from "parse5";
import { placeFooter } from "#mail/html/footer-place.ts";
import { BASE_URL, grace, mailing, received } from "../../support/sending/marketing-fixture.ts";

const UNSUBSCRIBE = `${BASE_URL}/u/${grace().tokens.unsubscribe}`;
const START = /<!--\[if([^\]]*)\]>(?:<!-->|-->)?|<!\[if([^\]]*)\]>/i;
const END = /(?:<!--)?<!\[endif\](?:-->|>)/i;

/** What Outlook keeps of a page: what is for it, as if it stood in no comment, and nothing that is for others. */
function asOutlookReads(html: string): string {
  const start = START.exec(html);
  if (start === null) return html;
  const behind = html.slice(start.index + start[0].length);
  const end = END.exec(behind);
  const inside = end === null ? behind : behind.slice(0, end.index);
  const rest = end === null ? "" : behind.slice(end.index + end[0].length);
  const isForOutlook = !(start[1] ?? start[2] ?? "").includes("!mso");
  return html.slice(0, start.index) + (isForOutlook ? inside : "") + asOutlookReads(rest);
}

const OTHERS = "<!--[if !mso]><!-->";
const LETTERS: [string, string][] = [
  [
    "a whole letter",
    `<body>${OTHERS}<p>Others</p><!--<![endif]--><!--[if mso]><p>Outlook</p><![endif]--></body>`,
  ],
  ["what others see never ends", `<body><p>Hello</p>${OTHERS}<p>Others</p></body>`],
  ["it never ends, nor does the page", `<p>Hello</p>${OTHERS}<div><p>Others`],
  ["it never ends, and is no comment", "<body><p>Hello</p><![if !mso]><p>Others</p></body>"],
  ["it never ends, and breaks off in a tag", `<p>Hello</p>${OTHERS}<a href="https://e.org/`],
  ["what Outlook sees never ends", "<p>Hello</p><!--[if mso]><p>Outlook</p>"],
  [
    "each has its own end of the page",
    `<!--[if mso]><body><p>Outlook</p><![endif]-->${OTHERS}<body><p>Others</p></body></html><!--<![endif]-->`,
  ],
];

describe.each(LETTERS)("%s", (_, html) => {
  test("its footer is for all readers", async () => {
    const message = await received(mailing({ html, trackClicks: false }));
    for (const page of [message.html, asOutlookReads(message.html)])
      expect(JSON.stringify(linksOf(page))).toContain(UNSUBSCRIBE);
  });
});

test("a condition that breaks off in its comment is ended there, once", () => {
  const html = "<p>Hello</p><!--[if mso]><table><tr><td>";
  expect(placeFooter(html, "<div></div>").added).toBe("<![endif]--><div></div>");
});

test("a letter whose conditions are ended gets its footer and nothing else", () => {
  const html = `<body><!--[if mso]><table><tr><td><![endif]-->Hello<!--[if mso]></td></tr></table><![endif]--></body>`;
  expect(placeFooter(html, "<div></div>")).toEqual({ at: html.indexOf("</body>"), added: "<div></div>" });
});

test("where Outlook has a body tag of its own, the preheader is in both", async () => {
  const html = `<html>\n<!--[if mso]><body class="mso"><![endif]-->\n${OTHERS}<body class="all">\n<!--<![endif]-->\n<p>Hello</p></body></html>`;
  const letter = { ...mailing({ html }), preheader: ["Soon in Turin"] };
  const message = await received(letter);
  expect(asOutlookReads(message.html)).toContain("Soon in Turin");
  expect(message.html.replace(/<!--.*?-->/gs, "")).toContain("Soon in Turin");
});

function linksOf(page: string): string[] {
  const links: string[] = [];
  const waiting: object[] = [parse(page)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("attrs" in node)
      for (const { name, value } of node.attrs as { name: string; value: string }[])
        if (name === "href") links.push(value);
    if ("childNodes" in node) waiting.push(...(node.childNodes as object[]));
  }
  return links;
}
