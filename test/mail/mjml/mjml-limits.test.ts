/** The compiler's own searches, which no deadline ends, cannot take long. */
import { expect, test } from "bun:test";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { costMs } from "../../support/common/cpu-time.ts";

const compiled = (head: string, raw: string) =>
  compileMjml(
    `<mjml><mj-head>${head}</mj-head><mj-body><mj-raw>${raw}</mj-raw></mj-body></mjml>`,
    "https://mail.example.org",
  );
const font = (name: string): string => `<mj-font name="${name}" href="https://x.example/font.css" />`;
const styled = (family: string): string => `<p style="font-family: ${family}">a</p>`;

test("conditional comments are compiled, up to as many as the compiler can pair", async () => {
  const pair = "<!--[if mso]>a<![endif]-->";
  const made = await compiled("", pair.repeat(500));
  expect(made.ok && made.value).toContain(pair.repeat(500));
  expect(await compiled("", pair.repeat(501))).toMatchObject({
    ok: false,
    refusal: { message: "it has more than 500 conditional comments" },
  });
});

test("conditional comments that are never closed are refused in time", async () => {
  await compiled("", "");
  expect(await costMs(() => compiled("", "<!--[if a]>".repeat(20_000)))).toBeLessThan(400);
});

test("a font whose name looks like a pattern is loaded where it is used, and only there", async () => {
  for (const name of ["Source Sans", "Font (Pro)", "C++", "a.b"]) {
    const [used, unused] = [
      await compiled(font(name), styled(name)),
      await compiled(font(name), styled("a-b")),
    ];
    expect([name, used.ok && used.value.includes("https://x.example/font.css")]).toEqual([name, true]);
    expect([name, unused.ok && unused.value.includes("https://x.example/font.css")]).toEqual([name, false]);
  }
});

test("a font's name is no pattern that is searched without an end", async () => {
  await compiled("", "");
  expect(await costMs(() => compiled(font("(x+x+)+y"), styled("x".repeat(30))))).toBeLessThan(400);
});

test("beside a font, font-family may stand as often as in any letter", async () => {
  const families = (count: number) => compiled(font("Lato"), styled("Lato").repeat(count));
  expect((await families(2_000)).ok).toBe(true);
  expect(await families(2_001)).toMatchObject({
    ok: false,
    refusal: { message: "it has an mj-font, and more than 2000 times font-family" },
  });
  expect((await compiled("", styled("Lato").repeat(2_001))).ok).toBe(true);
});

const elements = (element: string, count = 1_000): string =>
  `<mj-section><mj-column>${element.repeat(count)}</mj-column></mj-section>`;
const letter = (head: string, body: string): string =>
  `<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`;
const long = "x".repeat(60_000);
const texts = elements("<mj-text>a</mj-text>");
const inClass = elements('<mj-text mj-class="a">a</mj-text>');
const attributes = (inside: string): string => `<mj-attributes>${inside}</mj-attributes>`;

/** Each of them would be compiled to 60 MB or more: with 250 KB and 7,000 elements, to gigabytes. */
const REPEATED_ATTRIBUTES: readonly (readonly [what: string, source: string])[] = [
  ["mj-all", letter(attributes(`<mj-all font-family="${long}" />`), texts)],
  ["an element's name", letter(attributes(`<mj-text font-family="${long}"></mj-text>`), texts)],
  ["mj-class", letter(attributes(`<mj-class name="a" font-family="${long}" />`), inClass)],
  [
    "an element in an mj-class",
    letter(
      attributes(`<mj-class name="a"><mj-text font-family="${long}" /></mj-class>`),
      `<mj-section mj-class="a"><mj-column>${"<mj-text>a</mj-text>".repeat(1_000)}</mj-column></mj-section>`,
    ),
  ],
  [
    "one class a thousand times",
    letter(
      attributes(`<mj-class name="a" css-class="${long}" />`),
      elements(`<mj-text mj-class="${"a ".repeat(1_000)}">a</mj-text>`, 1),
    ),
  ],
  [
    "a head behind the body",
    `<mjml><mj-body>${texts}</mj-body><mj-head>${attributes(`<mj-all font-family="${long}" />`)}</mj-head></mjml>`,
  ],
  [
    "mj-social",
    letter(
      "",
      elements(
        `<mj-social font-family="${long}">${'<mj-social-element name="x">a</mj-social-element>'.repeat(1_000)}</mj-social>`,
        1,
      ),
    ),
  ],
  [
    "mj-navbar",
    letter(
      "",
      elements(
        `<mj-navbar base-url="https://${long}">${'<mj-navbar-link href="a">a</mj-navbar-link>'.repeat(1_000)}</mj-navbar>`,
        1,
      ),
    ),
  ],
];

test.each(REPEATED_ATTRIBUTES)(
  "attributes that would be written a thousand times are refused: %s",
  async (_, source) => {
    expect(await compileMjml(source, "https://mail.example.org")).toMatchObject({
      ok: false,
      refusal: {
        message:
          "its elements get too many and too long attributes from mj-attributes and from the elements around them",
      },
    });
  },
);

const REPEATED_STYLES: readonly (readonly [what: string, head: string])[] = [
  ["mj-style", `<mj-style inline="inline">.a { background: url(${long}) }</mj-style>`],
  [
    "mj-html-attribute",
    `<mj-html-attributes><mj-selector path=".a"><mj-html-attribute name="title">${long}</mj-html-attribute></mj-selector></mj-html-attributes>`,
  ],
];

test.each(REPEATED_STYLES)(
  "styles that would be written thousands of times are refused: %s",
  async (_, head) => {
    const source = letter(head, elements('<mj-text css-class="a">a</mj-text>', 2_000));
    expect(await compileMjml(source, "https://mail.example.org")).toMatchObject({
      ok: false,
      refusal: { message: "its inline styles and mj-html-attribute are too long for so many elements" },
    });
  },
);

test("a carousel has as many images as its styles allow", async () => {
  const carousel = (count: number) =>
    compileMjml(
      letter("", elements(`<mj-carousel>${'<mj-carousel-image src="a" />'.repeat(count)}</mj-carousel>`, 1)),
      "https://mail.example.org",
    );
  expect((await carousel(300)).ok).toBe(true);
  expect(await carousel(301)).toMatchObject({
    ok: false,
    refusal: { message: "it has more than 300 times mj-carousel-image" },
  });
});

test("a long letter with long attributes, classes and inline styles is compiled", async () => {
  const head =
    attributes(
      `<mj-all font-family="Helvetica, Arial" />${Array.from({ length: 100 }, (_, at) => `<mj-class name="c${at}" color="#${at + 100}" padding="10px" />`).join("")}`,
    ) + `<mj-style inline="inline">${".a { color: red; margin: 0 }".repeat(300)}</mj-style>`;
  const section = `<mj-section background-url="data:image/png;base64,${"A".repeat(1_000)}"><mj-column>${'<mj-text mj-class="c1 c2">a</mj-text>'.repeat(10)}</mj-column></mj-section>`;
  const made = await compileMjml(letter(head, section.repeat(100)), "https://mail.example.org");
  expect(made.ok).toBe(true);
});
