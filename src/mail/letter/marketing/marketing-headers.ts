import { field, formatDate, namedField, textField } from "#mail/mime/headers.ts";
import type { MarketingFrame, Recipient } from "./marketing-mail.ts";
import { messageIdFields } from "#mail/letter/message-id.ts";
import { TOKEN_LENGTH, TOKEN_NAMES } from "#mail/letter/slots/recipient-tokens.ts";
import { addressProblem, senderProblem } from "#mail/letter/slots/wire-problems.ts";
import { isWireAddress, isWireBaseUrl, isWireId } from "#mail/letter/slots/wire-values.ts";

const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${TOKEN_LENGTH}}$`);
/** The last instant of the year 9999: a later one has no RFC 5322 date. */
const LAST_DATE = 253_402_300_799_999;

/**
 * The header fields of a mailing before and after its subject; `recipientHeaders` adds the other four. `subject`
 * comes from `subjectField`. Call it only if neither `frameProblem` nor `subjectProblem` found anything.
 */
export function mailingHeaders(source: MarketingFrame, boundary: string): (subject: string) => string {
  const [from, others] = [namedField("From", source.from.name, source.from.address), rest(source, boundary)];
  return (subject) => from + subject + others;
}

export const subjectField = (subject: string): string => textField("Subject", subject);

function rest(source: MarketingFrame, boundary: string): string {
  return [
    source.replyTo === null ? "" : field("Reply-To", source.replyTo),
    field("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
    listId(source),
    field("Feedback-ID", source.feedbackId),
    field("Precedence", "bulk"),
    field("X-Auto-Response-Suppress", "OOF, AutoReply"),
    field("MIME-Version", "1.0"),
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n`,
  ].join("");
}

/** The fields that name the recipient. Only for a recipient without `recipientProblem`. */
export function recipientHeaders(recipient: Recipient, unsubscribeUrl: string): string {
  return (
    field("To", recipient.address) +
    field("Date", formatDate(recipient.date)) +
    messageIdFields(recipient.messageId) +
    field("List-Unsubscribe", `<${unsubscribeUrl}>${byMail(recipient)}`)
  );
}

/** The opt-out by mail, after the one by https, which mail clients prefer (RFC 8058). */
const byMail = ({ unsubscribeMailbox: mailbox }: Recipient): string =>
  mailbox === null ? "" : `,\r\n <mailto:${mailbox}?subject=unsubscribe>`;

/** Why a mailing cannot be sent to anyone: a value that is not one safe header line. */
export function frameProblem(source: MarketingFrame): string | null {
  const unfit = senderProblem(source);
  if (unfit !== null) return unfit;
  if (!isWireBaseUrl(source.baseUrl))
    return "The base URL is not a plain http or https address without a trailing slash.";
  const ids = source.list === null ? [source.workspaceId] : [source.workspaceId, source.list.id];
  return ids.every(isWireId) ? null : "The id of the list or of the workspace cannot stand in a List-Id.";
}

/** Why this one recipient cannot be mailed, although others can. */
export function recipientProblem(recipient: Recipient): string | null {
  const unfit = addressProblem(recipient);
  if (unfit !== null) return unfit;
  if (recipient.unsubscribeMailbox !== null && !isWireAddress(recipient.unsubscribeMailbox))
    return "The address for opt-outs by mail is not a plain ASCII address.";
  if (!(recipient.date >= 0 && recipient.date <= LAST_DATE))
    return "The date is not an instant between 1970 and 9999.";
  const bad = TOKEN_NAMES.find((name) => !TOKEN.test(recipient.tokens[name]));
  return bad === undefined ? null : `The ${bad} token is not ${TOKEN_LENGTH} base64url characters.`;
}

function listId(source: MarketingFrame): string {
  if (source.list === null) return "";
  const domain = source.from.address.slice(source.from.address.lastIndexOf("@") + 1);
  return namedField("List-Id", source.list.name, `${source.list.id}.${source.workspaceId}.${domain}`);
}
