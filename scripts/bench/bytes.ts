import { unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { tokensOf } from "#deliveries/token.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { writeMarketing } from "#mail/letter/marketing/marketing-letter.ts";
import { readyMarketing } from "#mail/letter/marketing/marketing-message.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import { base64Lines, textBytes } from "#mail/mime/base64-part.ts";
import { isMostlyNonAscii } from "#mail/mime/body-part.ts";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import { isSevenBit, sevenBit } from "#mail/mime/seven-bit.ts";
import { NEWSLETTERS, type Newsletter } from "./data/newsletters.ts";
import type { Row } from "./figures/table.ts";

const TOKENS = tokensOf(new Uint8Array(32), 1);
/** How many characters longer a token was. */
const MORE = "x".repeat(10);

/** The exact bytes of a campaign's message with this HTML, for one recipient. */
function messageOf(subject: string, html: string): string {
  const source = {
    html: [html],
    subject,
    from: { name: "Fernhill", address: "news@news.example.org" },
    replyTo: null,
    workspaceName: "Fernhill",
    mailingAddress: "1 Fern Hill\nExampleton EX1 2MP",
    list: { id: "lst_01kafc3q7w9h2m5xg4v8bt6rdn", name: "Readers" },
    workspaceId: "ws_01kafc3q7w9h2m5xg4v8bt6rdn",
    feedbackId: "cmp_01kafc3q7w9h2m5xg4v8bt6rdn:ws_01kafc3q7w9h2m5xg4v8bt6rdn:campaign:postrider",
    baseUrl: "https://mail.example.org",
    trackOpens: true,
    trackClicks: true,
  };
  const letter = readyMarketing(source, present(writeMarketing(source), "letter without values"));
  const address = "reader@example.com";
  const messageId = `${TOKENS.messageId}@news.example.org`;
  const recipient = { address, messageId, date: 0, tokens: TOKENS, unsubscribeMailbox: null };
  return asciiText(unwrap(letter.compose(recipient)).bytes);
}

const longTokens = (text: string): string =>
  [TOKENS.open, TOKENS.click, TOKENS.unsubscribe].reduce(
    (done, token) => done.replaceAll(token, token + MORE),
    text,
  );

/** The text part with each address at its place, as it was before repeated ones had numbers. */
const withAddresses = (text: string): string =>
  [...text.matchAll(/^(\[\d+\]) (http\S+)\r?\n/gm)].reduce(
    (done, [line, number = "", address = ""]) => done.replace(line, "").replaceAll(number, `[${address}]`),
    text,
  );

/** The same message with tokens of the old length, and with or without `7bit`. */
function earlier(message: string, mayBeSevenBit: boolean): string {
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(message) ?? [];
  const [head = "", ...parts] = message.split(`\r\n--${boundary}`);
  const written = parts.map((part) => {
    const at = part.indexOf("\r\n\r\n") + 4;
    const [, encoding] = /Transfer-Encoding: (\S+)/.exec(part) ?? [];
    if (encoding === undefined) return part;
    const now = longTokens(decoded(part.slice(at), encoding));
    const text = part.includes("text/plain") ? withAddresses(now) : now;
    return part.slice(0, at) + (mayBeSevenBit && isSevenBit(text) ? sevenBit(text) : encoded(text));
  });
  return [longTokens(head), ...written].join(`\r\n--${boundary}`);
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding === "7bit") return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

const encoded = (text: string): string =>
  isMostlyNonAscii(text) ? base64Lines(textBytes(text)) : encodeQuotedPrintable(text);

/** The HTML as it was sent before MJML lost its indents, and as it is sent now. */
async function pagesOf({ format, body }: Newsletter): Promise<{ earlier: string; now: string }> {
  if (format === "html") return { earlier: body, now: body };
  const { default: compile } = await import("mjml");
  return {
    earlier: (await compile(body)).html,
    now: unwrap(await compileMjml(body, "https://mail.example.org")),
  };
}

/** What ten newsletters take on the wire, and what each step saved. */
export async function bytesBench(): Promise<Row[]> {
  const rows: Row[] = [];
  const sum = { before: 0, sevenBit: 0, tokens: 0, now: 0 };
  for (const newsletter of NEWSLETTERS) {
    const pages = await pagesOf(newsletter);
    const [then, now] = [
      messageOf(newsletter.subject, pages.earlier),
      messageOf(newsletter.subject, pages.now),
    ];
    const before = earlier(then, false).length;
    sum.before += before;
    sum.sevenBit += earlier(then, true).length;
    sum.tokens += then.length;
    sum.now += now.length;
    rows.push(row(newsletter.name, now.length, "before", before, null));
  }
  rows.push(row("all ten, parts as they are where they may", sum.sevenBit, "before", sum.before, null));
  rows.push(
    row(
      "all ten, shorter tokens, repeated addresses as numbers, more base64",
      sum.tokens,
      "the step before",
      sum.sevenBit,
      null,
    ),
  );
  rows.push(row("all ten, and MJML without indents", sum.now, "the step before", sum.tokens, null));
  rows.push(row("all ten", sum.now, "before", sum.before, 0.6));
  return rows;
}

const row = (what: string, ours: number, reference: string, theirs: number, most: number | null): Row => ({
  what: `bytes of ${what}`,
  ours,
  reference,
  theirs,
  goal: most === null ? null : { ratioAtMost: most },
});
