import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { parse } from "parse5";
import { startApi, type TestApi } from "../support/api.ts";
import { elementsOf, expectPrivate, textOf } from "../support/page-checks.ts";

const ELEMENTS =
  "html head meta title style body div nav main header section article h1 h2 h3 h4 p ul li dl dt dd a code span pre details summary".split(
    " ",
  );
const ATTRIBUTES = "lang charset name content class id href tabindex aria-label open".split(" ");

let api: TestApi;
let page: Response;
let text: string;
beforeAll(async () => {
  api = await startApi();
  page = await fetch(`${api.url}/docs`);
  text = await page.text();
});
afterAll(() => api.stop());

test("the reference runs nothing and loads nothing: it works without a network", () => {
  expect(page.status).toBe(200);
  expectPrivate(page.headers);
  const style = /<style>(.*?)<\/style>/s.exec(text)![1]!;
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(style).not.toMatch(/url\(|@import/);
  for (const { tagName, attrs } of elementsOf(parse(text))) {
    expect(ELEMENTS).toContain(tagName);
    for (const { name } of attrs) expect(ATTRIBUTES).toContain(name);
  }
});

test("every link in it leads to a place in it, or to the document", () => {
  const elements = elementsOf(parse(text));
  const valueOf = (name: string) =>
    elements.flatMap(({ attrs }) => attrs.filter((attr) => attr.name === name).map(({ value }) => value));
  const ids = valueOf("id");
  expect(new Set(ids).size).toBe(ids.length);
  const links = valueOf("href");
  expect(links.length).toBeGreaterThan(50);
  for (const link of links) expect([...ids.map((id) => `#${id}`), "/api/v1/openapi.json"]).toContain(link);
});

test("every route is in it, with a request to copy; its headings leave out no level", () => {
  const shown = textOf(text);
  for (const { summary } of api.routes) expect(shown).toContain(summary);
  expect(text.match(/<pre class="code"[^>]*>\s*curl/g)!.length).toBeGreaterThan(api.routes.length);
  const levels = [...text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.entries())
    expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
});

test("it is the same at every request, and takes no other method", async () => {
  expect(await (await fetch(`${api.url}/docs`)).text()).toBe(text);
  const posted = await fetch(`${api.url}/docs`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
