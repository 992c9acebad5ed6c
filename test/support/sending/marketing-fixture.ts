import PostalMime from "postal-mime";
import type { Email } from "postal-mime";
import { asciiText } from "#mail/mime/ascii.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import type { MarketingSource, Recipient } from "#mail/letter/marketing/marketing-mail.ts";
import { TOKEN_LENGTH } from "#mail/letter/slots/recipient-tokens.ts";
import { compileMarketing } from "./letters.ts";

export const BASE_URL = "https://mail.example.com";
const SENT_AT = Date.UTC(2026, 10, 21, 5, 37, 9);

/** A mailing of Ada's; each test says what differs. */
export function mailing(change: Partial<MarketingSource> = {}): MarketingSource {
  return {
    html: '<html><body><p>Hello, <a href="https://example.com/news">the news</a></p></body></html>',
    subject: "News from Ada",
    from: { name: "Ada Lovelace", address: "ada@example.com" },
    replyTo: null,
    workspaceName: "Analytical Engines",
    mailingAddress: "12 St James's Square\nLondon SW1Y 4JH",
    list: { id: "lst_friends", name: "Friends" },
    workspaceId: "ws_ada",
    feedbackId: "cmp_1:ws_ada:campaign:postrider",
    baseUrl: BASE_URL,
    trackOpens: true,
    trackClicks: true,
    ...change,
  };
}

/** Grace's copy. Her tokens hold the characters that are special elsewhere. */
export function grace(change: Partial<Recipient> = {}): Recipient {
  return {
    address: "grace@example.org",
    messageId: "d1.grace@example.com",
    date: SENT_AT,
    tokens: { open: token("open"), click: token("-_click"), unsubscribe: token("__unsub-") },
    unsubscribeMailbox: null,
    ...change,
  };
}

export function token(start: string): string {
  return start.padEnd(TOKEN_LENGTH, "0123456789ABCDEFabcdef-_");
}

/** Composes, insists on the byte check, and reads the bytes back with a parser that is not ours. */
export async function received(
  source: MarketingSource,
  recipient: Recipient = grace(),
): Promise<{ raw: string; email: Email; html: string; text: string; links: readonly string[] }> {
  const compiled = compileMarketing(source);
  const composed = compiled.compose(recipient);
  if (!composed.ok) throw new Error(composed.refusal.message);
  const { bytes } = composed.value;
  const checked = checkMessage(bytes, recipient.address);
  if (!checked.ok) throw new Error(checked.refusal.message);
  const email = await PostalMime.parse(bytes);
  const raw = asciiText(bytes);
  return { raw, email, html: decodedPart(raw, 1), text: decodedPart(raw, 0), links: compiled.links([]) };
}

/** A part's exact content, decoded apart from any parser's habits with trailing newlines. */
export function decodedPart(raw: string, index: 0 | 1): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]!;
  const part = raw.split(`\r\n--${boundary}`)[index + 1]!;
  const body = part.slice(part.indexOf("\r\n\r\n") + 4);
  if (/Transfer-Encoding: base64/i.test(part)) return unixLines(Buffer.from(body, "base64").toString("utf8"));
  if (/Transfer-Encoding: 7bit/i.test(part)) return unixLines(body);
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return unixLines(Buffer.from(bytes, "latin1").toString("utf8"));
}

/** Line ends travel as CRLF whatever the author typed. */
export function unixLines(text: string): string {
  return text.replace(/\r\n/g, "\n");
}

const FOOTER_START = '<div style="background:#ffffff';

/** A decoded HTML part without its footer, and where that stood. */
export function withoutFooter(html: string): { before: string; footer: string; after: string } {
  const start = html.lastIndexOf(FOOTER_START);
  const end = html.indexOf("</div>", start) + "</div>".length;
  if (start === -1) throw new Error("there is no footer");
  return { before: html.slice(0, start), footer: html.slice(start, end), after: html.slice(end) };
}
