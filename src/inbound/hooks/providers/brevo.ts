import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, textOf } from "#core/request/loose-json.ts";
import { kindIn, lineOf, oursIn, reportOf, type Kinds } from "#inbound/hooks/report.ts";

/**
 * Brevo ("Transactional webhooks"): one event per request, or a list if batching is on.
 *
 * | event | means |
 * |---|---|
 * | `hard_bounce`, `invalid_email` | hard |
 * | `soft_bounce` | soft |
 * | `complaint`, and `spam` as its campaigns call it | complaint |
 * | `unsubscribed`, `unsubscribe` | unsubscribe |
 * | `blocked`, `error` | policy |
 *
 * Brevo tries again after `deferred`; every other event is good news. `message-id` is Brevo's own, which it puts into
 * our mail in place of ours. `X-Mailin-custom` is a field of the mail, in which we send ours (`returnedBy`).
 */
export const readBrevo = (body: unknown): ProviderReport[] =>
  (Array.isArray(body) ? body : [body]).flatMap((one) => {
    const { event, email, reason, "message-id": id, "X-Mailin-custom": own } = fieldsOf(one);
    const kind = kindIn(KINDS, textOf(event));
    const about = { recipient: email, messageId: oursIn(own, id) };
    return !kind ? [] : [reportOf(kind, about, { diagnostic: lineOf(reason) })];
  });

const KINDS: Kinds = {
  hard_bounce: "hard",
  invalid_email: "hard",
  soft_bounce: "soft",
  complaint: "complaint",
  spam: "complaint",
  unsubscribed: "unsubscribe",
  unsubscribe: "unsubscribe",
  blocked: "policy",
  error: "policy",
};
