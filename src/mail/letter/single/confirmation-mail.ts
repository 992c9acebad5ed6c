import { createHash } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import {
  confirmationHtml,
  confirmationSubject,
  confirmationText,
  type ConfirmationLook,
} from "./confirmation-template.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { field, formatDate, namedField, textField } from "#mail/mime/headers.ts";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import { messageIdFields } from "#mail/letter/message-id.ts";
import { addressProblem, senderProblem } from "#mail/letter/slots/wire-problems.ts";

/** What all confirmations of one form share: the workspace's own words. */
export type ConfirmationSource = {
  readonly workspaceName: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  /** The whole value of the Feedback-ID field. */
  readonly feedbackId: string;
  readonly linkValidDays: number;
  /** Unless given: English, in our own colours. */
  readonly look?: ConfirmationLook;
};

type ConfirmationRecipient = {
  readonly address: string;
  /** Without angle brackets; the same at every attempt. */
  readonly messageId: string;
  readonly date: Instant;
  readonly confirmUrl: string;
};

export type ComposeConfirmation = (recipient: ConfirmationRecipient) => Result<FinishedMessage>;

/**
 * Compiles the mail that asks somebody to confirm a sign-up (kind O of the mail format): no tracking, no list
 * headers, and nothing in it that was typed into the form. `layout` is the HTML compiled from
 * CONFIRMATION_MJML. Every composed message has passed `checkMessage`.
 */
export function compileConfirmation(source: ConfirmationSource, layout: string): ComposeConfirmation {
  const html = confirmationHtml(source, layout);
  const text = confirmationText(source);
  const problem = senderProblem(source);
  return (recipient) => {
    if (problem !== null) return invalid(problem);
    const unfit = addressProblem(recipient);
    if (unfit !== null) return invalid(unfit);
    const message = write(source, recipient, text(recipient.confirmUrl), html(recipient.confirmUrl));
    const checked = checkMessage(message, recipient.address);
    return checked.ok ? accept({ bytes: message }) : checked;
  };
}

function write(
  source: ConfirmationSource,
  recipient: ConfirmationRecipient,
  text: string,
  html: string,
): string {
  const boundary = `=_${createHash("sha256").update(recipient.messageId).digest("hex").slice(0, 32)}`;
  const part = (type: string, content: string) =>
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${encodeQuotedPrintable(content)}\r\n`;
  return [
    field("To", recipient.address),
    field("Date", formatDate(recipient.date)),
    messageIdFields(recipient.messageId),
    namedField("From", source.from.name, source.from.address),
    textField("Subject", confirmationSubject(source)),
    source.replyTo === null ? "" : field("Reply-To", source.replyTo),
    field("Feedback-ID", source.feedbackId),
    field("Auto-Submitted", "auto-generated"),
    field("X-Auto-Response-Suppress", "OOF, AutoReply"),
    field("MIME-Version", "1.0"),
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n`,
    part("text/plain", text),
    part("text/html", html),
    `--${boundary}--\r\n`,
  ].join("");
}
