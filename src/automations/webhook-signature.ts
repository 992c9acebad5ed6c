import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "#core/clock.ts";
import { accept, invalid, type Result } from "#core/errors.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = { min: 24, max: 64 } as const;

/** What a signature covers. `body` goes out exactly as it is here. */
export type SignedMessage = { readonly id: string; readonly at: Instant; readonly body: string };

export type SignatureHeaders = {
  readonly "webhook-id": string;
  /** Seconds since the epoch. */
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
};

/**
 * The three headers of Standard Webhooks (standardwebhooks.com, symmetric `v1`): HMAC-SHA256 over `id.timestamp.body` with the decoded
 * secret, in base64. Each try is signed anew under the same id. `secret` is one that `parseWebhookSecret` takes.
 */
export function signWebhook(message: SignedMessage, secret: string): SignatureHeaders {
  const timestamp = String(Math.floor(message.at / 1000));
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(`${message.id}.${timestamp}.${message.body}`, secret).toString("base64")}`,
  };
}

/** What a receiver does, except for the age of the timestamp. One good signature among several (a secret being changed) is enough. */
export function isSignedBy(secret: string, headers: SignatureHeaders, body: string): boolean {
  const expected = hmac(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`, secret);
  return headers["webhook-signature"].split(" ").some((signature) => {
    const given = signature.startsWith("v1,") ? Buffer.from(signature.slice(3), "base64") : Buffer.alloc(0);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const hmac = (text: string, secret: string): Buffer =>
  createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(text)
    .digest();

/** A new secret from 32 random bytes. */
export function webhookSecretOf(bytes: Uint8Array): string {
  return `${PREFIX}${Buffer.from(bytes).toString("base64")}`;
}

/** Reads a secret as a person gives it: `whsec_` and 24 to 64 bytes in base64. */
export function parseWebhookSecret(text: string): Result<string> {
  const secret = text.trim();
  const bytes = Buffer.from(secret.slice(PREFIX.length), "base64");
  const isCanonical = secret.startsWith(PREFIX) && bytes.toString("base64") === secret.slice(PREFIX.length);
  return isCanonical && bytes.length >= SECRET_BYTES.min && bytes.length <= SECRET_BYTES.max
    ? accept(secret)
    : invalid(`must be ${PREFIX} followed by ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes in base64`);
}
