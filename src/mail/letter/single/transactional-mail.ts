import { createHash } from "node:crypto";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { attachmentPart, type Attachment } from "#mail/mime/attachment-part.ts";
import { wholePart } from "#mail/mime/body-part.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { field, namedField, textField } from "#mail/mime/headers.ts";
import { textProblem } from "#mail/letter/letter-limits.ts";
import { htmlAsText } from "#mail/html/text-alternative.ts";
import {
  recipientHeaders,
  type TransactionalRecipient,
  type WrittenTransactional,
} from "./transactional-message.ts";
import { senderProblem, subjectProblem } from "#mail/letter/slots/wire-problems.ts";

/** A header field of the caller's own; the name is plain ASCII and starts with `X-`. */
export type ExtraHeader = { readonly name: string; readonly value: string };

/** What the messages of one request share. At least one of `html` and `text` is given. */
export type TransactionalSource = {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly ExtraHeader[];
  readonly attachments: readonly Attachment[];
  /** The whole value of the Feedback-ID field. */
  readonly feedbackId: string;
};

/**
 * Compiles a request's message (kind T of the mail format): no footer, no tracking, no List fields. HTML and
 * text are sent as given; if there is only HTML, the text part is made from it. The refusal says what
 * cannot be sent.
 *
 * Every composed message satisfies `checkMessage`. Here the shared parts are checked, with a sample
 * recipient; each recipient's header is checked when it is composed.
 */
export function writeTransactional(source: TransactionalSource): Result<WrittenTransactional> {
  const { html, text } = source;
  const problem = subjectProblem(source.subject) ?? senderProblem(source);
  if (problem !== null) return invalid(problem);
  const plain = text ?? (html === null ? "" : htmlAsText(html));
  const tooLong = text === null ? textProblem(plain) : null;
  if (tooLong !== null) return invalid(tooLong);
  const written = { shared: sharedHeaders(source), body: writeBody(source, plain) };
  const specimen = recipientHeaders(SPECIMEN) + written.shared + written.body;
  const whole = checkMessage(specimen, SPECIMEN.address);
  return whole.ok ? accept(written) : whole;
}

const SPECIMEN: TransactionalRecipient = {
  address: "specimen@example.com",
  name: "",
  messageId: "specimen@example.com",
  date: 0,
};

/** Our fields that the caller's own fields may replace. */
const DEFAULTS: readonly ExtraHeader[] = [{ name: "X-Auto-Response-Suppress", value: "OOF, AutoReply" }];

function sharedHeaders(source: TransactionalSource): string {
  const own = new Set(source.headers.map(({ name }) => name.toLowerCase()));
  const defaults = DEFAULTS.filter(({ name }) => !own.has(name.toLowerCase()));
  return [
    namedField("From", source.from.name, source.from.address),
    textField("Subject", source.subject),
    source.replyTo === null ? "" : field("Reply-To", source.replyTo),
    field("Feedback-ID", source.feedbackId),
    field("Auto-Submitted", "auto-generated"),
    ...[...defaults, ...source.headers].map(({ name, value }) => textField(name, value)),
    field("MIME-Version", "1.0"),
  ].join("");
}

/** Everything from Content-Type on: the rest of the header, and the parts. */
function writeBody(source: TransactionalSource, plain: string): string {
  const content = writeContent(source, plain);
  if (source.attachments.length === 0) return content;
  return multipart("mixed", boundaryOf("m", source), [content, ...source.attachments.map(attachmentPart)]);
}

function writeContent(source: TransactionalSource, plain: string): string {
  const { html } = source;
  const text = wholePart("text/plain", plain);
  if (html === null) return ended(text);
  return multipart("alternative", boundaryOf("a", source), [text, wholePart("text/html", html)]);
}

function multipart(subtype: "mixed" | "alternative", boundary: string, parts: readonly string[]): string {
  const header = `Content-Type: multipart/${subtype};\r\n boundary="${boundary}"\r\n\r\n`;
  return `${header}${parts.map((part) => `--${boundary}\r\n${ended(part)}`).join("")}--${boundary}--\r\n`;
}

const ended = (part: string): string => (part.endsWith("\r\n") ? part : `${part}\r\n`);

/**
 * No part can contain a boundary: neither quoted-printable nor base64 can contain `=_` (RFC 2045, 6.7, note), and a
 * part that is sent unencoded would have to contain a digest of itself.
 */
function boundaryOf(level: "m" | "a", { feedbackId, subject, html, text }: TransactionalSource): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([level, feedbackId, subject, html, text]))
    .digest("hex");
  return `=_${level}${digest.slice(0, 31)}`;
}
