import type { Attachment, Email } from "postal-mime";
import { parseMail } from "#mail/mime/parse-mail.ts";

/** Longer mails are cut off: a report says everything important at its beginning. */
export const MAIL_BYTES_MAX = 1024 * 1024;
/**
 * After so many lines that may separate parts (RFC 2046, section 5.1.1) a mail is cut off too. Each part takes some
 * KB, however little is in it: 1 MiB of nothing else took 400 MB.
 */
const SEPARATORS_MAX = 2_000;
/** Only this much of each text is read. */
const TEXT_MAX = 64 * 1024;
const PARTS_MAX = 20;
/** Deep enough for a forwarded report, and one inside that. */
const DEPTH_MAX = 3;

/** The parts of a mail that may hold a report. Texts have LF line ends and at most 64 Ki characters. */
export type MailParts = {
  /** Unfolded, with lower-case names, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly subject: string;
  readonly from: string;
  /** The text for people. */
  readonly text: string;
  readonly status: readonly string[];
  readonly feedback: readonly string[];
  /** Whether it has a receipt's part for programs (RFC 8098). */
  readonly hasDisposition: boolean;
  /** Returned mails, or only their headers. */
  readonly returned: readonly string[];
  /** If this mail is no report: mails inside it that are reports. */
  readonly inner: readonly MailParts[];
};

/** The first field of this lower-case name. */
export const headerIn = ({ headers }: Pick<MailParts, "headers">, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1].trim();

const STATUS = new Set(["message/delivery-status", "message/global-delivery-status"]);
const DISPOSITION = "message/disposition-notification";
const RETURNED = new Set([
  "message/rfc822",
  "message/global",
  "message/partial",
  "text/rfc822-headers",
  "message/global-headers",
  "text/rfc822-header",
]);

/**
 * Splits a mail into its parts. Limits keep every mail cheap: 1 MiB and about 2,000 parts are read, parts are nested
 * at most 30 deep, headers have at most 256 KiB.
 * @throws if the mail exceeds those limits
 */
export async function readParts(raw: Uint8Array, depth = 0): Promise<MailParts> {
  const mail = await parseMail(beginningOf(raw), {
    forceRfc822Attachments: true,
    maxNestingDepth: 30,
    maxHeadersSize: 256 * 1024,
  });
  const of = (types: ReadonlySet<string>) => mail.attachments.filter(({ mimeType }) => types.has(mimeType));
  const status = textsOf(of(STATUS));
  const feedback = textsOf(mail.attachments.filter(({ mimeType }) => mimeType === "message/feedback-report"));
  const returned = of(RETURNED);
  const isForwarding = status.length === 0 && feedback.length === 0 && depth < DEPTH_MAX;
  return {
    headers: mail.headers.map(({ key, value }) => [key, value] as const),
    subject: mail.subject ?? "",
    from: fromOf(mail),
    text: humanText(mail) || undivided(raw),
    status,
    feedback,
    hasDisposition: mail.attachments.some(({ mimeType }) => mimeType === DISPOSITION),
    returned: textsOf(returned),
    inner: isForwarding ? await innerMails(returned, depth) : [],
  };
}

/** As much of a mail as is read. */
function beginningOf(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, MAIL_BYTES_MAX));
  let end = -1;
  for (let separators = 0; separators <= SEPARATORS_MAX; separators++) {
    end = bytes.indexOf("\n--", end + 1);
    if (end === -1) return bytes;
  }
  return bytes.subarray(0, end);
}

async function innerMails(returned: readonly Attachment[], depth: number): Promise<MailParts[]> {
  const mails: MailParts[] = [];
  for (const part of returned.slice(0, 2))
    if (part.mimeType === "message/rfc822") mails.push(await readParts(bytesOf(part), depth + 1));
  return mails.filter(({ status, feedback, inner }) => status.length + feedback.length + inner.length > 0);
}

function fromOf({ from }: Email): string {
  if (from === undefined) return "";
  return `${from.name} ${from.address ?? ""}`;
}

/** The raw body, if it cannot be split into parts: some gateways announce a boundary other than the one in the body. */
function undivided(raw: Uint8Array): string {
  const text = bounded(decoded(raw.subarray(0, 2 * TEXT_MAX)));
  const end = text.indexOf("\n\n");
  return end === -1 ? "" : text.slice(end + 2);
}

/** Text attachments are included: old servers put their words there. */
function humanText(mail: Email): string {
  const attached = mail.attachments.filter(({ mimeType }) => mimeType === "text/plain");
  const own = mail.text?.trim() ? mail.text : mail.html === undefined ? "" : withoutTags(mail.html);
  return bounded([own, ...textsOf(attached)].join("\n").trim());
}

const withoutTags = (html: string): string =>
  bounded(html)
    .replaceAll(/<(?:br|\/?p|\/?div|\/?tr|\/?li|\/?h[1-6])\b[^<>]{0,500}>/gi, "\n")
    .replaceAll(/<[^<>]{0,1000}>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

const textsOf = (parts: readonly Attachment[]): string[] =>
  parts.slice(0, PARTS_MAX).map((part) => bounded(decoded(bytesOf(part).subarray(0, 2 * TEXT_MAX))));

/** Parts for programs have no charset. Japanese servers use their own, which begins with an escape (RFC 1468). */
const decoded = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes);
  return text.includes("\u001b$") ? new TextDecoder("iso-2022-jp").decode(bytes) : text;
};

const bounded = (text: string): string => text.slice(0, TEXT_MAX).toWellFormed().replaceAll(/\r\n?/g, "\n");

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
