import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, listOf, textOf, type Fields } from "#core/request/loose-json.ts";
import { kindIn, lineOf, oursIn, reportOf, type ReportKind, type Kinds } from "#inbound/hooks/report.ts";

/**
 * SendGrid ("Event Webhook Reference"): a list of events.
 *
 * | event | | means |
 * |---|---|---|
 * | `bounce` | `type` `blocked`, or `bounce_classification` Content, Reputation, Frequency or Volume Too High, Technical Failure | policy |
 * | `bounce` | `bounce_classification` Mailbox Unavailable | soft |
 * | `bounce` | any other | hard |
 * | `dropped` | `reason` Bounced Address, Invalid | hard |
 * | `dropped` | Spam Reporting Address | complaint |
 * | `dropped` | Unsubscribed Address | unsubscribe |
 * | `dropped` | any other | policy |
 * | `spamreport` | | complaint |
 * | `unsubscribe`, `group_unsubscribe` | | unsubscribe |
 *
 * SendGrid tries again after `deferred`; every other event is good news. `smtp-id` is the Message-ID, which
 * complaints and opt-outs do not have. `postrider` is in all of them: we send it as a unique argument (`returnedBy`).
 */
export const readSendgrid = (body: unknown): ProviderReport[] =>
  listOf(body).flatMap((one) => {
    const event = fieldsOf(one);
    const kind = kindOf(event);
    if (kind === null) return [];
    const { email: recipient, postrider, "smtp-id": id, status, reason } = event;
    // The Message-ID of another program's mail stays: it says that this is not about one of our messages.
    const about = { recipient, messageId: oursIn(postrider) || id };
    return [reportOf(kind, about, { status: textOf(status), diagnostic: lineOf(reason) })];
  });

const DROPPED: Kinds = {
  "bounced address": "hard",
  invalid: "hard",
  "spam reporting address": "complaint",
  "unsubscribed address": "unsubscribe",
};

const CLASSIFIED: Kinds = {
  content: "policy",
  reputation: "policy",
  "frequency or volume too high": "policy",
  "technical failure": "policy",
  "mailbox unavailable": "soft",
};

function kindOf(event: Fields): ReportKind | null {
  switch (event["event"]) {
    case "bounce":
      if (event["type"] === "blocked") return "policy";
      return kindIn(CLASSIFIED, textOf(event["bounce_classification"]).toLowerCase()) ?? "hard";
    case "dropped":
      return kindIn(DROPPED, textOf(event["reason"]).toLowerCase()) ?? "policy";
    case "spamreport":
      return "complaint";
    case "unsubscribe":
    case "group_unsubscribe":
      return "unsubscribe";
    default:
      return null;
  }
}
