import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, textOf } from "#core/request/loose-json.ts";
import { kindIn, lineOf, reportOf, type Kinds } from "#inbound/hooks/report.ts";

/**
 * Brevo ("Transactional webhooks"): one event per request, or a list if batching is on.
 *
 * | event | means |
 * |---|---|
 * | `hard_bounce`, `invalid_email` | hard |
 * | `soft_bounce` | soft |
 * | `spam` | complaint |
 * | `unsubscribed`, `unsubscribe` | unsubscribe |
 * | `blocked`, `error` | policy |
 *
 * Brevo tries again after `deferred`; every other event is good news.
 */
export const readBrevo = (body: unknown): ProviderReport[] =>
  (Array.isArray(body) ? body : [body]).flatMap((one) => {
    const { event, email, reason, "message-id": messageId } = fieldsOf(one);
    const kind = kindIn(KINDS, textOf(event));
    return !kind ? [] : [reportOf(kind, { recipient: email, messageId }, { diagnostic: lineOf(reason) })];
  });

const KINDS: Kinds = {
  hard_bounce: "hard",
  invalid_email: "hard",
  soft_bounce: "soft",
  spam: "complaint",
  unsubscribed: "unsubscribe",
  unsubscribe: "unsubscribe",
  blocked: "policy",
  error: "policy",
};
