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
