import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, textOf, type Fields } from "#core/request/loose-json.ts";
import { lineOf, oursIn, reportOf, type ReportKind } from "#inbound/hooks/report.ts";

/**
 * Mailjet ("Event API"): one event per request, or a list if they are grouped.
 *
 * | event | | means |
 * |---|---|---|
 * | `bounce` | `hard_bounce` true, and `error` user unknown, invalid domain, no mail host or none | hard |
 * | `bounce` | any other | soft |
 * | `blocked` | | policy |
 * | `spam` | | complaint |
 * | `unsub` | | unsubscribe |
 *
 * `MessageID` is Mailjet's own, not our Message-ID, which is in `CustomID` (`returnedBy`).
 */
export const readMailjet = (body: unknown): ProviderReport[] =>
  (Array.isArray(body) ? body : [body]).flatMap((one) => {
    const event = fieldsOf(one);
    const kind = kindOf(event);
    const { email: recipient, comment, error, source, CustomID } = event;
    const about = { recipient, messageId: oursIn(CustomID) };
    return kind === null ? [] : [reportOf(kind, about, { diagnostic: lineOf(comment, error, source) })];
  });

const NOBODY_THERE: ReadonlySet<string> = new Set(["", "user unknown", "invalid domain", "no mail host"]);

function kindOf(event: Fields): ReportKind | null {
  switch (event["event"]) {
    case "bounce":
      return event["hard_bounce"] === true && NOBODY_THERE.has(textOf(event["error"])) ? "hard" : "soft";
    case "blocked":
      return "policy";
    case "spam":
      return "complaint";
    case "unsub":
      return "unsubscribe";
    default:
      return null;
  }
}
