import { createHmac } from "node:crypto";
import type { Instant } from "#core/clock.ts";

const PREFIX = "whsec_";

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
 * `id.timestamp.body` with the decoded secret, in base64. Each try gets a new signature under the same id.
 * `secret` must be valid for the setting `webhookSecret`.
 */
export function signWebhook(message: SignedMessage, secret: string): SignatureHeaders {
  const timestamp = String(Math.floor(message.at / 1000));
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(`${message.id}.${timestamp}.${message.body}`, secret).toString("base64")}`,
  };
}

const hmac = (text: string, secret: string): Buffer =>
  createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(text)
    .digest();
