import type { ProviderReport } from "#bounces/incoming.ts";
import { oneLineOf } from "#bounces/report.ts";
import { fieldsOf, listOf, textOf, type Fields } from "#core/request/loose-json.ts";

/** What an event says about one recipient, as Amazon SES judged it. */
export type SesEntry = Pick<ProviderReport, "recipient" | "status" | "diagnostic"> & {
  readonly kind: "delivered" | "delayed" | "policy" | "soft" | "hard" | "complaint";
  /** In the terms of `Report`. */
  readonly reason: string;
};

/**
 * An event of Amazon SES ("Amazon SNS notification contents for Amazon SES"), or a published event, which has its
 * type in `eventType`. The hook and the mailbox both read it here, so one event means the same by both.
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
export function sesEntries(value: unknown): SesEntry[] {
  const event = fieldsOf(value);
  const type = textOf(event["notificationType"]) || textOf(event["eventType"]);
  if (type === "Bounce") return bounces(fieldsOf(event["bounce"]));
  if (type === "Complaint") return complaints(fieldsOf(event["complaint"]));
  return type === "Delivery" ? [entryOf({}, "delivered", "DELIVERED", "")] : [];
}

const HARD: ReadonlySet<string> = new Set(["General", "NoEmail", "Suppressed", "OnAccountSuppressionList"]);
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set([
  "MessageTooLarge",
  "ContentRejected",
  "AttachmentRejected",
  "CustomTimeoutExceeded",
]);

function bounces(bounce: Fields): SesEntry[] {
  const [type, subType] = [textOf(bounce["bounceType"]), textOf(bounce["bounceSubType"])];
  const kind = kindOf(type, subType);
  const reason = kind === "hard" ? "USER_UNKNOWN" : subType.toUpperCase();
  return listOf(bounce["bouncedRecipients"])
    .map(fieldsOf)
    .map((recipient) => {
      const { action = "failed" } = recipient;
      const done = textOf(action).toLowerCase();
      if (done === "failed") return entryOf(recipient, kind, reason, `${type} ${subType}`);
      return done === "delayed"
        ? entryOf(recipient, "delayed", "DELAYED", "")
        : entryOf(recipient, "delivered", "DELIVERED", "");
    });
}

function kindOf(type: string, subType: string): "hard" | "soft" | "policy" {
  if (type === "Permanent") return HARD.has(subType) ? "hard" : "policy";
  return type === "Transient" && ABOUT_THE_MESSAGE.has(subType) ? "policy" : "soft";
}

function complaints(complaint: Fields): SesEntry[] {
  const type = textOf(complaint["complaintFeedbackType"]);
  const isNone = type === "not-spam" || complaint["complaintSubType"] === "OnAccountSuppressionList";
  const says = type || textOf(complaint["userAgent"]);
  return listOf(complaint["complainedRecipients"])
    .map(fieldsOf)
    .map((recipient) =>
      isNone
        ? entryOf(recipient, "delivered", "NO_COMPLAINT", says)
        : entryOf(recipient, "complaint", "COMPLAINT", says),
    );
}

/** @param otherwise the words where no server's reply is quoted */
const entryOf = (recipient: Fields, kind: SesEntry["kind"], reason: string, otherwise: string): SesEntry => ({
  kind,
  reason,
  recipient: textOf(recipient["emailAddress"]).trim() || null,
  status: textOf(recipient["status"]),
  diagnostic: oneLineOf(textOf(recipient["diagnosticCode"])) || oneLineOf(otherwise),
});
