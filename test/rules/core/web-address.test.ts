import { describe, expect, test } from "bun:test";
import { parseHostName } from "#core/addresses/email-address.ts";
import { parseOrigins } from "#core/addresses/origin.ts";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { isAmazons } from "#inbound/hooks/sns.ts";
import { trackLinks } from "#mail/html/links.ts";
import { linkProblem } from "#mail/problems/link-target.ts";
import { costMs } from "../../support/common/cpu-time.ts";

test.each([
  "https://example.org/a?b#c",
  `https://example.org/${"é/".repeat(100_000)}`,
  `https://example.org?${"q=http://x&".repeat(10_000)}`,
  " HTTP:\\\\Bücher.example\\a ",
  "ht\ntp:/\t/example.org",
  "mailto:ada@example.org",
  `data:text/plain,${"a".repeat(5_000)}/`,
  "https://",
  "example.org",
  "",
])("an address is what a browser takes it for: %#", (text) => {
  expect(parseWebAddress(text)?.href).toBe(URL.parse(text)?.href);
});

describe("a host of nothing but marks is refused in time", () => {
  const host = `a${"\u0315".repeat(20_000)}${"\u0300".repeat(20_000)}.example`;
  const spellings = [host, encodeURIComponent(host), `ada@${host}`];
  const refusals: [string, (host: string) => unknown, unknown][] = [
    ["an address", (part) => parseWebAddress(`https://${part}/`), null],
    ["an address with blanks", (part) => parseWebAddress(`ht\ntps:/\t\n/${part}/`), null],
    ["an address with other slashes", (part) => parseWebAddress(`https:\\\\/${part}\\`), null],
    ["an origin", (part) => parseOrigins(`https://example.org https://${part}`), undefined],
    ["a host name", (part) => parseHostName(part).ok, false],
    ["Amazon's address", (part) => isAmazons(`https://${part}/`), false],
    ["a tracked link", (part) => trackLinks(`<a href="https://${part}/">x</a>`, String).links, []],
    ["a link's problem", (part) => linkProblem(`https://${part}/`)?.includes("no address"), true],
  ];
  test.each(refusals)("%s", async (_, read, refused) => {
    for (const part of spellings) {
      let answer: unknown;
      expect(await costMs(() => (answer = read(part)))).toBeLessThan(200);
      expect(answer).toEqual(refused);
    }
  });
});
