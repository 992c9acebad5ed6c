import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, listOf, textOf, type Fields } from "#core/request/loose-json.ts";
import { kindIn, lineOf, oursIn, reportOf, type ReportKind, type Kinds } from "#inbound/hooks/report.ts";

/**
 * SparkPost ("Webhooks", "Event reference"): a list of `{ msys: { message_event | unsubscribe_event | … } }`.
 *
 * | type | bounce_class | means |
 * |---|---|---|
 * | `bounce`, `out_of_band` | 10 invalid recipient, 30 no such recipient | hard |
 * | `bounce`, `out_of_band` | 90 unsubscribe | unsubscribe |
 * | `bounce`, `out_of_band` | 60 auto-reply, 80 subscribe, 100 challenge | nothing |
 * | `bounce`, `out_of_band` | 23 too large, 25 admin failure, 50 to 54 blocks, content, relaying | policy |
 * | `bounce`, `out_of_band` | any other | soft |
 * | `spam_complaint` | | complaint, but nothing where `fbtype` is `not-spam` |
 * | `list_unsubscribe`, `link_unsubscribe` | | unsubscribe |
 * | `policy_rejection`, `generation_failure`, `generation_rejection` | | policy |
 *
 * SparkPost tries again after `delay`. `message_id` is SparkPost's own, not our Message-ID, which is in `rcpt_meta`
 * (`returnedBy`).
 */
export const readSparkpost = (body: unknown): ProviderReport[] =>
  listOf(body)
    .flatMap((one) => Object.values(fieldsOf(fieldsOf(one)["msys"])))
    .flatMap((one) => {
      const event = fieldsOf(one);
      const kind = kindOf(event);
      if (kind === null) return [];
      const { raw_rcpt_to: raw, rcpt_to: recipient, raw_reason: reply, reason, fbtype, rcpt_meta } = event;
      return [
        reportOf(
          kind,
          { recipient: textOf(raw) || recipient, messageId: oursIn(fieldsOf(rcpt_meta)["postrider"]) },
          { diagnostic: lineOf(reply, reason, fbtype) },
        ),
      ];
    });

const CLASSES: Kinds = {
  "10": "hard",
  "23": "policy",
  "25": "policy",
  "30": "hard",
  "50": "policy",
  "51": "policy",
  "52": "policy",
  "53": "policy",
  "54": "policy",
  "60": null,
  "80": null,
  "90": "unsubscribe",
  "100": null,
};

function kindOf(event: Fields): ReportKind | null {
  switch (event["type"]) {
    case "bounce":
    case "out_of_band": {
      const kind = kindIn(CLASSES, textOf(event["bounce_class"]));
      return kind === undefined ? "soft" : kind;
    }
    case "spam_complaint":
      return event["fbtype"] === "not-spam" ? null : "complaint";
    case "list_unsubscribe":
    case "link_unsubscribe":
      return "unsubscribe";
    case "policy_rejection":
    case "generation_failure":
    case "generation_rejection":
      return "policy";
    default:
      return null;
  }
}
