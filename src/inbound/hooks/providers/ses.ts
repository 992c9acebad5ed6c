import type { ProviderReport } from "#bounces/incoming.ts";
import {
  fieldsOf,
  lineOf,
  listOf,
  reportOf,
  textOf,
  type Fields,
  type ReportKind,
} from "#inbound/hooks/report.ts";

/**
 * Amazon SES, as the `Message` of an SNS notification ("Amazon SNS notification contents for Amazon SES"), or as a
 * published event, which has its type in `eventType`.
 *
 * | bounceType | bounceSubType | means |
 * |---|---|---|
 * | `Permanent` | `General`, `NoEmail`, `Suppressed`, `OnAccountSuppressionList` | hard |
 * | `Permanent` | any other | policy |
 * | `Transient` | `MessageTooLarge`, `ContentRejected`, `AttachmentRejected`, `CustomTimeoutExceeded` | policy |
 * | `Transient` | any other | soft |
 * | `Undetermined` | any | soft |
 *
 * A complaint does not count if its `complaintFeedbackType` is `not-spam`, or if its sub-type says that SES only
 * refused to send because of an earlier one. An entry whose `action` is not `failed` (`delayed`) is no failure.
 */
export function readSes(body: unknown): ProviderReport[] {
  const event = fieldsOf(body);
  const type = textOf(event["notificationType"]) || textOf(event["eventType"]);
  const messageId = messageIdOf(fieldsOf(event["mail"]));
  if (type === "Bounce") return bounces(fieldsOf(event["bounce"]), messageId);
  return type === "Complaint" ? complaints(fieldsOf(event["complaint"]), messageId) : [];
}

const HARD: ReadonlySet<string> = new Set(["General", "NoEmail", "Suppressed", "OnAccountSuppressionList"]);
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set([
  "MessageTooLarge",
  "ContentRejected",
  "AttachmentRejected",
  "CustomTimeoutExceeded",
]);

function bounces(bounce: Fields, messageId: string): ProviderReport[] {
  const [type, subType] = [textOf(bounce["bounceType"]), textOf(bounce["bounceSubType"])];
  const kind = kindOf(type, subType);
  return listOf(bounce["bouncedRecipients"])
    .map(fieldsOf)
    .filter(({ action }) => action === undefined || textOf(action).toLowerCase() === "failed")
    .map(({ emailAddress, status, diagnosticCode }) => {
      const said = { status: textOf(status), diagnostic: lineOf(diagnosticCode, `${type} ${subType}`) };
      return reportOf(kind, { recipient: emailAddress, messageId }, said);
    });
}

function kindOf(type: string, subType: string): ReportKind {
  if (type === "Permanent") return HARD.has(subType) ? "hard" : "policy";
  return type === "Transient" && ABOUT_THE_MESSAGE.has(subType) ? "policy" : "soft";
}

function complaints(complaint: Fields, messageId: string): ProviderReport[] {
  const type = textOf(complaint["complaintFeedbackType"]);
  if (type === "not-spam" || complaint["complaintSubType"] === "OnAccountSuppressionList") return [];
  const diagnostic = lineOf(type, complaint["userAgent"]);
  return listOf(complaint["complainedRecipients"]).map((one) =>
    reportOf("complaint", { recipient: fieldsOf(one)["emailAddress"], messageId }, { diagnostic }),
  );
}

/**
 * SES puts its own Message-ID into what it sends. Ours is among the original headers, which must be switched on in
 * SES ("Include original email headers").
 */
function messageIdOf(mail: Fields): string {
  const header = listOf(mail["headers"])
    .map(fieldsOf)
    .find(({ name }) => textOf(name).toLowerCase() === "message-id");
  return textOf(header?.["value"]) || textOf(fieldsOf(mail["commonHeaders"])["messageId"]);
}
