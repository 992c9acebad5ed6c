import { storedAddress } from "./delivery-status.ts";
import { oneLineOf, type FailureKind, type Report } from "#bounces/report.ts";

/**
 * Reads a notification of Amazon SES that an SNS topic sent by e-mail: the text is JSON, wrapped like any text,
 * with a footer. Empty for any other text.
 */
export function sesReports(text: string): Report[] {
  const event = eventIn(text);
  const type = wordOf(event["notificationType"] ?? event["eventType"]);
  if (type === "Bounce") return bounceReports(objectOf(event["bounce"]));
  if (type === "Complaint") return complaintReports(objectOf(event["complaint"]));
  return type === "Delivery" ? [report("delivered", "DELIVERED", {})] : [];
}

type Json = Readonly<Record<string, unknown>>;

/** What each kind of bounce means; other kinds (`Transient`, `Undetermined`) may be temporary. */
const PERMANENT = new Set(["General", "NoEmail", "Suppressed", "OnAccountSuppressionList"]);
const ABOUT_THE_MAIL = new Set([
  "MessageTooLarge",
  "ContentRejected",
  "AttachmentRejected",
  "CustomTimeoutExceeded",
]);

function bounceReports(bounce: Json): Report[] {
  const [type, subtype] = [wordOf(bounce["bounceType"]), wordOf(bounce["bounceSubType"])];
  const kind: FailureKind = ABOUT_THE_MAIL.has(subtype)
    ? "policy"
    : type === "Permanent" && PERMANENT.has(subtype)
      ? "hard"
      : "soft";
  return listOf(bounce["bouncedRecipients"]).map((recipient) =>
    recipient["action"] === "delayed"
      ? report("delayed", "DELAYED", recipient)
      : report(kind, kind === "hard" ? "USER_UNKNOWN" : subtype.toUpperCase(), recipient),
  );
}

function complaintReports(complaint: Json): Report[] {
  const isNone =
    complaint["complaintFeedbackType"] === "not-spam" ||
    complaint["complaintSubType"] === "OnAccountSuppressionList";
  return listOf(complaint["complainedRecipients"]).map((recipient) =>
    report(isNone ? "delivered" : "complaint", isNone ? "NO_COMPLAINT" : "COMPLAINT", recipient),
  );
}

const report = (kind: Report["kind"], reason: string, recipient: Json): Report => ({
  kind,
  reason,
  status: wordOf(recipient["status"]),
  words: oneLineOf(wordOf(recipient["diagnosticCode"])),
  recipients: storedAddress(wordOf(recipient["emailAddress"])),
});

/** The event in a text, alone or inside an SNS envelope. */
function eventIn(text: string): Json {
  const start = text.indexOf("{");
  if (start === -1 || text.slice(0, start).trim() !== "") return {};
  const [json = ""] = text.slice(start).split(/\n--\n/, 1);
  const outer = parsed(json);
  return typeof outer["Message"] === "string" ? parsed(outer["Message"]) : outer;
}

function parsed(json: string): Json {
  try {
    return objectOf(JSON.parse(json.slice(0, json.lastIndexOf("}") + 1).replaceAll("\n", "")));
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.slice(0, 20).map(objectOf) : []);

const wordOf = (value: unknown): string => (typeof value === "string" ? value : "");
