import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { parse } from "parse5";
import { apiDocument } from "#app/http.ts";
import { ERROR_CODES, ERRORS } from "#http/openapi/error-codes.ts";
import { guidesOf } from "#http/openapi/guides.ts";
import type { Document } from "#http/openapi/openapi.ts";
import { referencePage } from "#pages/reference/page.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { elementsOf, expectPrivate, NO_ICON, textOf } from "../../support/browser/page-checks.ts";

const ELEMENTS =
  "html head meta link title style body div nav main header section article h1 h2 h3 h4 p ul li dl dt dd a code span pre details summary search label kbd input fieldset legend strong script".split(
    " ",
  );
const ATTRIBUTES =
  "lang charset name content rel class id href tabindex title aria-label aria-describedby open hidden for type role autocomplete spellcheck value checked data-language".split(
    " ",
  );

let api: TestApi;
let page: Response;
let text: string;
beforeAll(async () => {
  api = await startApi();
  page = await fetch(`${api.url}/docs`);
  text = await page.text();
});
afterAll(() => api.stop());

test("the reference runs one script of its own and loads nothing: it works without a network", () => {
  expect(page.status).toBe(200);
  expectPrivate(page.headers);
  const style = /<style>(.*?)<\/style>/s.exec(text)![1]!;
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script!);
  expect(scripts.length).toBe(1);
  const [hash, scriptHash] = [style, scripts[0]!].map((part) =>
    createHash("sha256").update(part).digest("base64"),
  );
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'sha256-${scriptHash}'`,
  );
  expect(scripts[0]).not.toMatch(/innerHTML|insertAdjacent|eval|fetch|XMLHttp|WebSocket|import\b|https?:/);
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
  const links = valueOf("href").filter((link) => link !== NO_ICON);
  expect(links.length).toBeGreaterThan(50);
  for (const link of links) expect([...ids.map((id) => `#${id}`), "/api/v1/openapi.json"]).toContain(link);
});

test("its link to the document stands behind the path of BASE_URL", async () => {
  const answer = await referencePage(apiDocument("https://example.com/news"), "/api/v1/openapi.json");
  expect(await answer.text()).toContain('href="/news/api/v1/openapi.json"');
});

test("every route is in it, with a request to copy; its headings leave out no level", () => {
  const shown = textOf(text);
  for (const { summary } of api.routes) expect(shown).toContain(summary);
  for (const opening of [
    /<pre[^>]*>curl /g,
    /<pre[^>]*>const answer = await fetch/g,
    /<pre[^>]*>(?:import os\n)?import requests\n\nanswer/g,
  ])
    expect(text.match(opening)!.length).toBeGreaterThan(api.routes.length);
  const levels = [...text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.entries())
    expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
});

test("every error code is explained, and every route's codes lead there", () => {
  const shown = textOf(text);
  for (const code of ERROR_CODES) {
    expect(text).toContain(`id="error-${code}"`);
    expect(shown).toContain(ERRORS[code].advice.replaceAll("`", ""));
  }
  expect(text.match(/href="#error-NOT_FOUND"/g)!.length).toBeGreaterThan(20);
});

test("paging, repeating, webhooks and clients are explained, on the page and in the document", async () => {
  const document = (await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as Document;
  for (const { id, title, code } of guidesOf(document.servers[0].url)) {
    expect(text).toContain(`<article id="${id}"`);
    expect(document.info.description).toContain(`## ${title}`);
    for (const program of Object.values(code)) expect(document.info.description).toContain(program);
  }
  expect(text).toContain('id="receiveAutomationWebhook"');
});

test("it is the same at every request, and takes no other method", async () => {
  expect(await (await fetch(`${api.url}/docs`)).text()).toBe(text);
  const posted = await fetch(`${api.url}/docs`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
