import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, textOf, type Fields } from "#core/request/loose-json.ts";
import { kindIn, lineOf, reportOf, type ReportKind, type Kinds } from "#inbound/hooks/report.ts";

/**
 * Mailgun ("Webhook payloads"): one `event-data` per request.
 *
 * | event | severity | reason | means |
 * |---|---|---|---|
 * | `failed` | `permanent` | `bounce`, `generic`, `suppress-bounce` | hard |
 * | `failed` | `permanent` | `suppress-complaint` | complaint |
 * | `failed` | `permanent` | `suppress-unsubscribe` | unsubscribe |
 * | `failed` | `permanent` | `old` (gave up) | soft |
 * | `failed` | `permanent` | any other, such as `espblock` | policy |
 * | `complained` | | | complaint |
 * | `unsubscribed` | | | unsubscribe |
 *
 * Mailgun tries again after `failed` with `temporary`, so that means nothing yet; `rejected` is about the message;
 * every other event is good news.
 */
export function readMailgun(body: unknown): ProviderReport[] {
  const event = fieldsOf(fieldsOf(body)["event-data"]);
  const kind = kindOf(event);
  if (kind === null) return [];
  const { "delivery-status": delivery, message, recipient, reason } = event;
  const { code, message: said, description, "enhanced-code": enhanced } = fieldsOf(delivery);
  const messageId = fieldsOf(fieldsOf(message)["headers"])["message-id"];
  // A code above 599 is Mailgun's own; `reason` says what it means.
  const reply = /^[45]\d\d$/.test(textOf(code)) ? `${textOf(code)} ` : "";
  const diagnostic = lineOf(`${reply}${lineOf(said, description)}`, reason);
  return [reportOf(kind, { recipient, messageId }, { status: textOf(enhanced), diagnostic })];
}

const PERMANENT: Kinds = {
  bounce: "hard",
  generic: "hard",
  "suppress-bounce": "hard",
  "suppress-complaint": "complaint",
  "suppress-unsubscribe": "unsubscribe",
  old: "soft",
};

function kindOf(event: Fields): ReportKind | null {
  switch (event["event"]) {
    case "failed":
      return event["severity"] === "permanent"
        ? (kindIn(PERMANENT, textOf(event["reason"])) ?? "policy")
        : null;
    case "complained":
      return "complaint";
    case "unsubscribed":
      return "unsubscribe";
    default:
      return null;
  }
}
