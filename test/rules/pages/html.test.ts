import { describe, expect, test } from "bun:test";
import { html } from "#pages/html.ts";
import { unsubscribedPage, unsubscribePage } from "#pages/unsubscribe-page.ts";
import { shownAddress } from "#core/addresses/shown-address.ts";
import { naughtyStrings } from "../../support/common/corpora.ts";
import { readPage, textOf, plainSender } from "../../support/browser/page-checks.ts";

const VECTORS = [
  ...naughtyStrings(),
  "<script>alert(1)</script>",
  `" autofocus onfocus="alert(1)`,
  "' onclick='alert(1)",
  "&lt;script&gt; &#60;script&#62; &amp;amp;",
  "</style></title></textarea><svg onload=alert(1)>",
  "<!--",
  "]]>",
];

describe("a template", () => {
  test("escapes what is put into it, and nothing twice", () => {
    const inner = html`<b title="${`"'<>&`}">${"a & b"}</b>`;
    expect(inner.text).toBe('<b title="&quot;&#39;&lt;&gt;&amp;">a &amp; b</b>');
    expect(html`<p>${inner}${[inner, "<i>"]}${null}${false}${0}</p>`.text).toBe(
      `<p>${inner.text}${inner.text}&lt;i&gt;0</p>`,
    );
  });

  test("does not take an object that looks like HTML for HTML", () => {
    const forged = JSON.parse('{"text":"<script>"}') as never;
    expect(() => html`${forged}`).toThrow();
  });
});

describe("the unsubscribe pages", () => {
  test("show any name and address as text, and can run and load nothing", async () => {
    expect(VECTORS.length).toBeGreaterThan(5);
    for (const name of VECTORS) {
      const view = {
        look: plainSender(name),
        shownAddress: name,
        isUsed: true,
        preferencesPath: "/p/x",
      };
      for (const page of [unsubscribePage(view), unsubscribedPage(view)]) {
        const letters = name.replace(/\s|\p{Cc}|\p{Cs}|\uFFFD/gu, "");
        expect(textOf(await readPage(page)).replace(/\s|\p{Cc}|\uFFFD/gu, "")).toStartWith(letters);
      }
    }
  });
});

describe("a shown address", () => {
  test.each([
    ["ada@example.com", "a••@example.com"],
    ["a@example.com", "a••@example.com"],
    ["grace.hopper@xn--bcher-kva.example", "g••@xn--bcher-kva.example"],
  ])("%s is %s", (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });
});
