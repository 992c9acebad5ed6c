import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import PostalMime, { type Email } from "postal-mime";
import { readToken } from "#deliveries/token.ts";
import { BASE_URL } from "../../support/server/api.ts";
import type { Accepted } from "../../support/sending/scripted-smtp.ts";
import {
  makeCampaign,
  makeLongList,
  send,
  SENDER,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { rowsFrom } from "../../support/server/services.ts";

/** What a campaign's message carries exactly once (docs/sending.md "What every message looks like"). */
const ONCE = [
  "from",
  "to",
  "subject",
  "date",
  "message-id",
  "x-postrider-message",
  "mime-version",
  "content-type",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-id",
  "feedback-id",
  "precedence",
  "x-auto-response-suppress",
];
const NEVER = ["return-path", "sender", "bcc", "cc", "auto-submitted", "dkim-signature"];

const COUNT = 300;
const LINKS = ["https://shop.example.org/new?a=1&b=2", "https://shop.example.org/old"];
const BODY = `<p>Dear reader, see <a href="https://shop.example.org/new?a=1&amp;b=2">the news</a>,
<a href="https://shop.example.org/old">the old</a>, <a href="mailto:ada@example.com">Ada</a> and
<a data-no-track href="https://shop.example.org/plain">plain</a>.</p><p>Grüße</p><!-- unclosed`;

type Letter = { sent: Accepted; mail: Email; html: string; text: string };
let api: SendingApi;
let letters: Letter[];

const valuesOf = ({ mail }: Letter, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
const tokenOf = (html: string, kind: string): string =>
  new RegExp(`${BASE_URL}/${kind}/([\\w-]{22})`).exec(html)?.[1] ?? "";

beforeAll(async () => {
  api = await startSending();
  const id = await makeCampaign(api, await makeLongList(api, COUNT), {
    subject: "Frühling für alle",
    body: BODY,
  });
  expect((await send(api, id)).body.data.sent).toBe(COUNT);
  const read = async (sent: Accepted): Promise<Letter> => {
    const mail = await PostalMime.parse(Buffer.from(sent.raw, "latin1"));
    return { sent, mail, html: mail.html ?? "", text: mail.text ?? "" };
  };
  letters = await Promise.all(api.relay.accepted.map(read));
});
afterAll(() => api.stop());

describe(`each of ${COUNT} messages of one campaign`, () => {
  test("has every header of a campaign's mail once, and none it must not have", () => {
    for (const letter of letters) {
      expect(ONCE.filter((name) => valuesOf(letter, name).length !== 1)).toEqual([]);
      expect(NEVER.filter((name) => valuesOf(letter, name).length > 0)).toEqual([]);
    }
  });

  test("is addressed to its one recipient, in the envelope and in To, and comes from the workspace", () => {
    for (const { sent, mail } of letters) {
      expect(sent.rcptTo).toHaveLength(1);
      expect(mail.to?.map(({ address }) => address)).toEqual(sent.rcptTo);
      expect(mail.from).toEqual({ name: SENDER.fromName, address: SENDER.fromEmail });
      expect(sent.mailFrom).toBe(SENDER.fromEmail);
      expect(mail.subject).toBe("Frühling für alle");
    }
    expect(new Set(letters.map(({ sent }) => sent.rcptTo[0])).size).toBe(COUNT);
  });

  test("has a Message-ID and tokens of its own", () => {
    expect(new Set(letters.map(({ mail }) => mail.messageId)).size).toBe(COUNT);
    for (const kind of ["o", "c", "u"]) {
      const tokens = letters.map(({ html }) => tokenOf(html, kind));
      expect(tokens.filter((token) => token.length !== 22)).toEqual([]);
      expect(new Set(tokens).size).toBe(COUNT);
    }
  });

  test("can be unsubscribed from with one click, at the address its footer shows too", () => {
    for (const letter of letters) {
      const [value] = valuesOf(letter, "list-unsubscribe");
      const [, url] = /^<(https:\/\/[^>]+)>$/.exec(value ?? "") ?? [];
      expect(url).toBe(`${BASE_URL}/u/${tokenOf(letter.html, "u")}`);
      expect(valuesOf(letter, "list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
      expect(letter.text).toContain(url!);
      for (const part of [letter.html, letter.text]) expect(part).toContain("1 Analytical Way, London");
    }
  });

  test("has its http links rewritten, the others as written, and one pixel", () => {
    for (const { html } of letters) {
      const token = tokenOf(html, "c");
      for (const [number, link] of LINKS.entries()) {
        expect(html).toContain(`${BASE_URL}/c/${token}/${number}`);
        expect(html).not.toContain(`href="${link}`);
      }
      expect(html).toContain('href="mailto:ada@example.com"');
      expect(html).toContain('href="https://shop.example.org/plain"');
      expect(html.split(`${BASE_URL}/o/`)).toHaveLength(2);
    }
    const stored = rowsFrom<{ url: string }>(api, "SELECT url FROM mailing_links ORDER BY number");
    expect(stored.map(({ url }) => url)).toEqual(LINKS);
  });

  test("is plain ASCII in lines of at most 998 octets that end in CRLF", () => {
    for (const { sent } of letters) {
      expect(/^[\t\r\n\x20-\x7e]*$/.test(sent.raw)).toBe(true);
      expect(sent.raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      expect(Math.max(...sent.raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
    }
  });

  test("has an unsubscribe token that names its own recipient, and opens nothing else", async () => {
    const { ledger, database } = api.services;
    for (const { html, sent } of letters) {
      const message = readToken(database.signingSecret, "unsubscribe", tokenOf(html, "u"));
      expect((await ledger.recipient(message!))?.address).toBe(sent.rcptTo[0]);
      expect(readToken(database.signingSecret, "unsubscribe", tokenOf(html, "o"))).toBeNull();
    }
  });
});
