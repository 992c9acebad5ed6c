import { afterAll, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unwrap } from "#core/errors/errors.ts";
import { parseLiquid } from "#mail/liquid/liquid.ts";
import { grace, mailing, received, withoutFooter } from "../../support/sending/marketing-fixture.ts";
import { compileFilled, compileMarketing, composedText } from "../../support/sending/letters.ts";
import { lacksProgram } from "../../support/common/needs.ts";

const spamAssassin = Bun.which("spamassassin");

const SHORT =
  '<html><body><p>Hello Grace,</p><p>the shop is open again from Monday.</p><p><a href="https://example.com/news">Read more</a></p></body></html>';
const paragraphs = (bytes: number): string =>
  `<html><body>${"<p>Word after word of a letter that says something.</p>\r\n".repeat(Math.ceil(bytes / 60))}</body></html>`;
const LETTERS: readonly (readonly [string, string])[] = [
  ["one word", "Hello"],
  ["many short lines", "<br>\r\n".repeat(250)],
  ["just under the limit", paragraphs(1_800)],
];

/** The rules a message meets, and its score, without asking the network. */
function judged(raw: Uint8Array): { rules: string[]; score: number } {
  const { stdout } = Bun.spawnSync([spamAssassin!, "--test-mode", "--local", "--nocreate-prefs"], {
    stdin: raw,
    env: { ...process.env, HOME: home },
  });
  const report = stdout.toString();
  const [, score] = /^\s*Content analysis details:\s*\((-?[0-9.]+) points/m.exec(report) ?? [];
  const rules = [...report.matchAll(/^\s*-?[0-9.]+ ([A-Z][A-Z0-9_]+) /gm)].map(([, rule]) => rule!);
  return { rules, score: Number(score) };
}

const home = mkdtempSync(join(tmpdir(), "postrider-spam-"));
afterAll(() => rmSync(home, { recursive: true }));

const composed = (html: string, trackOpens: boolean): Uint8Array =>
  Buffer.from(
    composedText(compileMarketing(mailing({ html, trackOpens, subject: "Open again" })).compose(grace())),
  );

describe.skipIf(lacksProgram("spamassassin"))("SpamAssassin", () => {
  test.each(LETTERS)(
    "asks no points for the pixel of %s",
    (_, html) => {
      const { rules } = judged(composed(html, true));
      expect(rules).toContain("HTML_MESSAGE");
      expect(rules.filter((rule) => rule.startsWith("HTML_IMAGE_ONLY"))).toEqual([]);
    },
    120_000,
  );

  test("gives a letter with a pixel the score of one without", () => {
    expect(judged(composed(SHORT, true))).toEqual(judged(composed(SHORT, false)));
  });

  test("asks them for a picture in a short page, so it would be seen here", () => {
    const raw = composed(`${SHORT}<img src="https://example.com/a.png">`, false);
    expect(judged(raw).rules.filter((rule) => rule.startsWith("HTML_IMAGE_ONLY"))).toHaveLength(1);
  });
});

describe("A page with a pixel is longer than what filters take for a mere picture", () => {
  test.each(LETTERS)("%s", async (_, html) => {
    const { html: page } = await received(mailing({ html }));
    expect(page.length).toBeGreaterThan(3_200);
    expect(withoutFooter(page).footer).toMatch(/alt="" style="[^"]*">\s{50,}<\/div>$/);
  });

  test("one that is long by itself gets nothing, nor does one without a pixel", async () => {
    for (const change of [{ html: paragraphs(8_000) }, { html: SHORT, trackOpens: false }])
      expect(withoutFooter((await received(mailing(change))).html).footer).not.toMatch(/\s{2,}/);
  });

  test("also where a template filled it in, whatever its values make of it", async () => {
    const lengthOf = async (raw: string) => (await PostalMime.parse(Buffer.from(raw, "latin1"))).html?.length;
    const scope = (name: string) => ({ contact: { firstName: name } });
    const template = unwrap(parseLiquid("<p>Dear {{ contact.firstName }}</p>", "html"));
    const letter = compileFilled(mailing(), unwrap(template.pieces(scope("Ada"))))!;
    for (const name of ["", "Ada", "x".repeat(500), "<".repeat(2_000)]) {
      const value = name.replaceAll("<", "&lt;");
      const ours = composedText(letter.compose(grace(), { subject: "Hi", values: [value] }));
      const theirs = compileMarketing(mailing({ subject: "Hi", html: `<p>Dear ${value}</p>` }));
      expect(await lengthOf(ours)).toBe(await lengthOf(composedText(theirs.compose(grace()))));
    }
  });
});
