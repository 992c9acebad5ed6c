import { createHmac } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import { WEBHOOK_SECRET_PREFIX } from "#core/webhook-secret.ts";

/** The input of a signature. `body` is sent exactly as given here. */
export type SignedMessage = { readonly id: string; readonly at: Instant; readonly body: string };

export type SignatureHeaders = {
  readonly "webhook-id": string;
  /** Seconds since the epoch. */
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
};

/**
 * The three headers of Standard Webhooks (standardwebhooks.com, symmetric `v1`): HMAC-SHA256 over
 * `id.timestamp.body` with the decoded secret, in base64. Each try gets new signatures under the same id, one for
 * each secret, because a replaced secret signs for a while longer. Secrets must be valid for the setting
 * `webhookSecret`.
 */
export function signWebhook(message: SignedMessage, secrets: readonly string[]): SignatureHeaders {
  const timestamp = String(Math.floor(message.at / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${hmac(signed, secret).toString("base64")}`).join(" "),
  };
}

const hmac = (text: string, secret: string): Buffer =>
  createHmac("sha256", Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), "base64"))
    .update(text)
    .digest();
