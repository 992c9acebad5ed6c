import { describe, expect, test } from "bun:test";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { grace, mailing, received } from "../../support/sending/marketing-fixture.ts";
import { naughtyStrings } from "../../support/common/corpora.ts";
import { compileMarketing } from "../../support/sending/letters.ts";

const SUBJECTS = [
  "Hello",
  "Grüße",
  "🎉",
  "  inner   spaces  are  kept ".trim(),
  `${"word ".repeat(60)}end`,
  `${"two  ".repeat(60)}end`,
  "x".repeat(998),
  "é".repeat(998),
  "🎉".repeat(998),
  "👩‍👩‍👧‍👦".repeat(100),
  `${"plain words first and then ".repeat(5)}é`,
  "=?utf-8?Q?not_encoded?=",
  "= ? = ?=",
  'quotes " and \\ and (comments) <brackets>',
  "Re: tab and colon: x",
  "漢字".repeat(300),
  "a".repeat(69),
  "a".repeat(70),
];

const NAMES = [
  "Ada",
  "Ada Lovelace",
  "Lovelace, Ada",
  'Ada "Countess" Lovelace',
  "Ada \\ Co",
  "Ada (Engines)",
  "Ada <x>",
  "Adá",
  "🎉",
  "=?utf-8?Q?x?=",
  "x".repeat(300),
  "é".repeat(300),
  "Ada; Grace: friends",
  "Ada.",
  "漢字テスト",
];

const INJECTIONS = [
  "\r\nBcc: linus@example.com",
  "\nBcc: linus@example.com",
  "\rBcc: linus@example.com",
  "\r\n\r\n<script>",
  "\0",
  "\u0085Bcc: x",
  "\u2028Bcc: x",
  "\u2029Bcc: x",
  "\r\n Bcc: x",
  "\u000bBcc: x",
  "=0D=0ABcc: x",
  "=?utf-8?Q?=0D=0ABcc:_x?=",
  "%0d%0aBcc: x",
  "<linus@example.com>, ",
  '", <linus@example.com>, "',
  "\ud800",
  "ada@evil.example",
];

const ONE_OF_EACH = [
  "content-type",
  "date",
  "feedback-id",
  "from",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "message-id",
  "mime-version",
  "precedence",
  "subject",
  "to",
  "x-auto-response-suppress",
  "x-postrider-message",
];

describe("A subject arrives as it was written", () => {
  test.each(SUBJECTS)("%s", async (subject) => {
    const { raw, email } = await received(mailing({ subject }));
    expect(email.subject).toBe(subject);
    expectShortHeader(raw);
  });
});

describe("A display name arrives as it was written, beside exactly one address", () => {
  test.each(NAMES)("%s", async (name) => {
    const { raw, email } = await received(
      mailing({ from: { name, address: "ada@example.com" }, list: { id: "lst_1", name } }),
    );
    expect(email.from).toEqual({ name, address: "ada@example.com" });
    expect(raw).toMatch(/^List-Id: [^]*?<lst_1\.ws_ada\.example\.com>\r\n(?![ \t])/m);
    expectShortHeader(raw);
  });

  test("an empty one leaves the address alone", async () => {
    const { email } = await received(mailing({ from: { name: " ", address: "ada@example.com" } }));
    expect(email.from).toEqual({ name: "", address: "ada@example.com" });
  });

  test("one that looks like an address does not arrive as one", async () => {
    const { email } = await received(
      mailing({ from: { name: "support@bank.example", address: "ada@example.com" } }),
    );
    expect(email.from).toEqual({ name: "support at bank.example", address: "ada@example.com" });
  });
});

describe("Nothing in a text can add a header field or a recipient", () => {
  test.each(INJECTIONS)("%j", async (payload) => {
    for (const text of [payload, `Ada${payload}`, `${payload}Ada`, `Ada${payload}Grace é`])
      await expectHarmless(text);
  });

  test("nor can any naughty string", async () => {
    for (const text of naughtyStrings()) await expectHarmless(text);
  });

  async function expectHarmless(text: string): Promise<void> {
    const { email, raw } = await received(
      mailing({
        subject: `Hi ${text}`,
        from: { name: text, address: "ada@example.com" },
        workspaceName: text,
        mailingAddress: text,
        list: { id: "lst_1", name: text },
      }),
    );
    expect(email.headers.map((header) => header.key).toSorted()).toEqual(ONE_OF_EACH);
    expect(email.to).toEqual([{ name: "", address: "grace@example.org" }]);
    expect(email.from?.address).toBe("ada@example.com");
    expectShortHeader(raw);
  }
});

test("Long ids, hosts and addresses keep every line under 998 characters", () => {
  const long = `${"a".repeat(64)}@${`${"b".repeat(60)}.`.repeat(3)}com`;
  const source = mailing({
    from: { name: "Ada", address: long },
    replyTo: long,
    feedbackId: "x".repeat(250),
    baseUrl: `https://${"c".repeat(60)}.example.com/${"d".repeat(100)}`,
    list: { id: "l".repeat(100), name: "n".repeat(500) },
  });
  const composed = compileMarketing(source).compose(grace({ address: long, messageId: long.slice(1) }));
  expect(composed.ok && checkMessage(composed.value.bytes, long).ok).toBe(true);
});

/** Header lines are folded at 78 (RFC 5322, 2.1.1). */
function expectShortHeader(raw: string): void {
  for (const line of raw.slice(0, raw.indexOf("\r\n\r\n")).split("\r\n"))
    expect(line.length).toBeLessThanOrEqual(78);
}
