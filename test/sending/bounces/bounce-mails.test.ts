import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BOUNCES } from "../../support/common/corpora.ts";
import { BOUNCE_DOMAIN, overSmtp, sendTo } from "../../support/inbound/reports.ts";
import { numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { rowsFrom } from "../../support/server/services.ts";
import { contactOf } from "../../support/people/people.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
});
afterAll(() => api.stop());

const HEAD = "From: MAILER-DAEMON@example.net\r\nSubject: Undelivered Mail\r\n";
const nested = (depth: number): string =>
  HEAD +
  'Content-Type: multipart/mixed; boundary="b0"\r\n\r\n' +
  Array.from(
    { length: depth },
    (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary="b${i + 1}"\r\n\r\n`,
  ).join("");

describe("all 284 real mails, each for a message of its own", () => {
  test("nobody is BOUNCED whom the mail does not say to be dead, and none is lost", async () => {
    const verdicts: Record<string, { hardbounce: boolean }[]> = JSON.parse(
      readFileSync(join(BOUNCES, "expected.json"), "utf8"),
    );
    const files = readdirSync(BOUNCES).filter((name) => name.endsWith(".eml"));
    const addressOf = (file: string) => `${file.replace(".eml", "")}@example.org`;
    const { sent } = await sendTo(api, files.map(addressOf));
    const outcomes = new Map<string, string>();
    for (const file of files) {
      const sender = sent.get(addressOf(file))?.sender ?? "";
      outcomes.set(file, await overSmtp(api, readFileSync(join(BOUNCES, file)), sender));
    }
    const bounced = new Set(
      rowsFrom<{ email: string }>(api, "SELECT email FROM contacts WHERE status = 'BOUNCED'").map(
        ({ email }) => email,
      ),
    );
    const wrong = files.filter(
      (file) => bounced.has(addressOf(file)) && !verdicts[file]?.some(({ hardbounce }) => hardbounce),
    );
    expect(files).toHaveLength(284);
    expect(wrong).toEqual([]);
    expect(bounced.size).toBeGreaterThan(80);
    // Understood, or kept. One is a report about a report.
    const nothing = files.filter((file) => ["unmatched", "ordinary"].includes(outcomes.get(file) ?? ""));
    expect(nothing).toEqual(["lhost-sendmail-39.eml"]);
    const kept = [...outcomes.values()].filter((taken) => taken === "kept").length;
    expect(numberOf(api, "SELECT count(*) AS n FROM unread_mails")).toBe(kept);
  });
});

describe("a mail that is made to do harm", () => {
  test.each<[string, string]>([
    ["is empty", ""],
    ["is no mail", "\0\u0001\u0002"],
    ["is nested deeper than anybody needs", nested(1_000)],
    ["has a header without end", HEAD + "X-A: b\r\n".repeat(60_000)],
    ["is all line ends", `${HEAD}\r\n${"\n ".repeat(30_000)}`],
    ["is all returned mails", `${HEAD}Content-Type: message/rfc822\r\n\r\n`.repeat(300)],
    ["is larger than is read", `${HEAD}\r\n${"x".repeat(2 * 1024 * 1024)}`],
  ])("and %s is kept for a person, and changes nobody", async (name, text) => {
    const email = `${name.replaceAll(/[^a-z]/g, "-")}@example.net`;
    const { sent } = await sendTo(api, [email]);
    const taken = await overSmtp(api, Buffer.from(text), sent.get(email)?.sender ?? "");
    expect(taken).toBe("kept");
    expect((await contactOf(api, email)).status).toBe("SUBSCRIBED");
  });
});
