import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, listOf, textOf } from "#core/request/loose-json.ts";
import { lineOf, oursIn, reportOf, type ReportKind } from "#inbound/hooks/report.ts";
import { MESSAGE_FIELD } from "#mail/letter/message-id.ts";

/**
 * Resend ("Webhook event types"): one event per request.
 *
 * | type | `data.bounce.type` | means |
 * |---|---|---|
 * | `email.bounced` | `Permanent`, or none | hard; policy with the sub-type `ContentRejected`, `AttachmentRejected` or `MessageTooLarge` |
 * | `email.bounced` | any other (`Transient`, `Undetermined`) | soft |
 * | `email.complained` | | complaint |
 * | `email.failed` | | policy |
 * | `email.suppressed` | | policy: Resend does not say whether it bounced, complained or was entered by hand |
 *
 * Resend tries again after `email.delivery_delayed`. `email_id` is Resend's own. In `data.headers`, if Resend
 * shows headers, is our Message-ID or our own field; a Message-ID there may also be that of Amazon SES, by which Resend
 * sends. An event with several recipients does not say whom it is about, so it needs one of ours.
 */
export function readResend(body: unknown): ProviderReport[] {
  const { type, data } = fieldsOf(body);
  const { bounce, to, headers, failed, suppressed } = fieldsOf(data);
  const { type: bounceType, subType, message } = fieldsOf(bounce);
  const kind = kindOf(textOf(type), textOf(bounceType), textOf(subType));
  if (kind === null) return [];
  const recipients = Array.isArray(to) ? to : [to];
  const about = {
    recipient: recipients.length === 1 ? addressIn(textOf(recipients[0])) : "",
    messageId: messageIdIn(headers),
  };
  const reasons = [message, fieldsOf(failed)["reason"], fieldsOf(suppressed)["message"]];
  return [reportOf(kind, about, { diagnostic: lineOf(...reasons) })];
}

const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set([
  "ContentRejected",
  "AttachmentRejected",
  "MessageTooLarge",
]);

function kindOf(type: string, bounceType: string, subType: string): ReportKind | null {
  switch (type) {
    case "email.bounced":
      if (ABOUT_THE_MESSAGE.has(subType)) return "policy";
      return bounceType === "" || bounceType === "Permanent" ? "hard" : "soft";
    case "email.complained":
      return "complaint";
    case "email.failed":
    case "email.suppressed":
      return "policy";
    default:
      return null;
  }
}

const ID_FIELDS: ReadonlySet<string> = new Set(["message-id", MESSAGE_FIELD.toLowerCase()]);

const messageIdIn = (headers: unknown): string => {
  const named = listOf(headers)
    .map(fieldsOf)
    .filter(({ name }) => ID_FIELDS.has(textOf(name).toLowerCase()));
  return oursIn(...named.map(({ value }) => value));
};

/** The address in `Recipient <to@example.org>`, or the address alone. */
const addressIn = (text: string): string => /<([^<>]{1,320})>\s*$/.exec(text)?.[1] ?? text;
