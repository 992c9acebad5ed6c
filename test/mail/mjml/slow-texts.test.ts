/** Texts at which a regular expression began anew at each place and walked to the end: as slow as the square of their length. */
import { expect, test } from "bun:test";
import { plainReports } from "#bounces/reading/plain-report.ts";
import { codePoints } from "#core/text/text.ts";
import { withoutIndents } from "#mail/html/mjml/indents.ts";
import { textAlternative } from "#mail/html/text-alternative.ts";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import { letterWarnings } from "#mail/problems/letter-warnings.ts";
import { leastCostMs } from "../../support/common/cpu-time.ts";

const LETTER = { subject: "", preheader: "", body: "", format: "html", isLiquid: true } as const;
const warnings = (text: string) => letterWarnings({ ...LETTER, text });
const alternative = (html: string) => textAlternative(html, "footer");
const bounce = (text: string) =>
  plainReports({ from: "mailer-daemon@example.com", subject: "Undeliverable", text });

test.each<[string, (text: string) => unknown, string]>([
  ["values that are never closed, in a text part", warnings, "{{".repeat(8_000)],
  ["values that name a link, and are never closed", warnings, "{{url".repeat(600)],
  ["brackets that are never closed", alternative, "[".repeat(32_000)],
  ["styles of white space", withoutIndents, "white-space".repeat(6_000)],
  ["values on one line of MJML", withoutIndents, `${"{{".repeat(16_000)}}`],
  ["spaces behind a quote mark, in a bounce", bounce, `x\n>${" ".repeat(16_000)}a@b\n`],
])("%s cost no more than to walk through them a thousand times", async (_, read, text) => {
  const walks = await leastCostMs(() => {
    for (let n = 0; n < 1_000; n++) codePoints(text);
  });
  expect((await leastCostMs(() => read(text))) / walks).toBeLessThan(2);
});

test("a line of dots, each of which is escaped where a line begins, costs no more than some lines of letters", async () => {
  const encode = (line: string, times: number) => () => {
    for (let n = 0; n < times; n++) encodeQuotedPrintable(line);
  };
  const letters = await leastCostMs(encode("x".repeat(400_000), 30));
  expect((await leastCostMs(encode(".".repeat(400_000), 1))) / letters).toBeLessThan(2);
});

test.each([
  ["{{ unsubscribeUrl }}", 0],
  ["{{ a }} {{ my_link | upcase }}", 0],
  ["{{ a }} url {{ b }}", 1],
  ["{{ url", 1],
])("whether a text part in Liquid has a link: %s", (text, count) => {
  expect(warnings(text)).toHaveLength(count);
});

test.each([
  ["a\n  b", "a\nb"],
  ["{{ a }}\n  b", "{{ a }}\nb"],
  ["{{ a |\n  upcase }}", "{{ a |\n  upcase }}"],
  ["{{{ a\n  b", "{{{ a\n  b"],
  ["{% a { \n  b %}", "{% a { \n  b %}"],
  ["p{white-space : pre-wrap}\n  b", "p{white-space : pre-wrap}\n  b"],
  ["p{white-space:nowrap}\n  pre", "p{white-space:nowrap}\npre"],
])("indents that nobody sees are taken out of MJML, others stay: %j", (html, tidy) => {
  expect(withoutIndents(html)).toBe(tidy);
});
