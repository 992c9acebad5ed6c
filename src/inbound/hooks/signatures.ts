import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import { fieldsOf, textOf } from "#core/request/loose-json.ts";

/** Whether two texts are equal, in a time that does not show where they differ. */
export function isSame(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A time since 1970, as providers write it. */
const SECONDS = /^\d{1,12}$/;

const MAILGUN_AGE_MAX_MS = 15 * 60_000;

/** The token that Mailgun signs. Each is valid for one request. */
export type MailgunToken = { readonly token: string; readonly expiresAt: Instant };

/**
 * The token of a request that Mailgun signed (HMAC-SHA256 over timestamp and token, as hexadecimal digits)
 * and that is not older than 15 minutes; else null. A timestamp more than 15 minutes in the future is refused
 * too.
 */
export function checkMailgun(body: unknown, key: string, now: Instant): MailgunToken | null {
  const { timestamp, token, signature } = fieldsOf(fieldsOf(body)["signature"]);
  const at = textOf(timestamp);
  const nonce = textOf(token);
  // Nothing stands between the two, so a token that begins with `e0` could be used again as `1764374400e0` and the rest.
  if (!SECONDS.test(at)) return null;
  const expected = createHmac("sha256", key).update(`${at}${nonce}`).digest("hex");
  if (!isSame(expected, textOf(signature))) return null;
  const signedAt = Number(at) * 1000;
  const isFresh = Math.abs(now - signedAt) <= MAILGUN_AGE_MAX_MS;
  return isFresh ? { token: nonce, expiresAt: signedAt + MAILGUN_AGE_MAX_MS } : null;
}

/** A body, and the headers that may sign it. */
export type SignedBytes = { readonly headers: Headers; readonly bytes: Uint8Array };

/**
 * Whether SendGrid signed a body: ECDSA with SHA-256 over the timestamp and the unchanged bytes.
 * @param publicKey SubjectPublicKeyInfo in base64, as SendGrid shows it
 */
export function isSignedBySendgrid({ headers, bytes }: SignedBytes, publicKey: string): boolean {
  const signature = headers.get("x-twilio-email-event-webhook-signature") ?? "";
  const timestamp = headers.get("x-twilio-email-event-webhook-timestamp") ?? "";
  const signed = Buffer.concat([Buffer.from(timestamp), bytes]);
  try {
    return verify("sha256", signed, sendgridKey(publicKey), Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** @throws if it is not a key */
const sendgridKey = (spki: string) =>
  createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" });

/** The same as in the Svix libraries. */
const SVIX_SKEW_MAX_MS = 5 * 60_000;

/**
 * Whether Svix signed a body for Resend: HMAC-SHA256 over `id.timestamp.body`, in base64, with the decoded secret
 * (`whsec_…`). The header may have several signatures while a secret is being replaced.
 */
export function isSignedBySvix({ headers, bytes }: SignedBytes, secret: string, now: Instant): boolean {
  const id = headers.get("svix-id") ?? "";
  const timestamp = headers.get("svix-timestamp") ?? "";
  if (!SECONDS.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > SVIX_SKEW_MAX_MS) return false;
  const expected = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.`)
    .update(bytes)
    .digest("base64");
  const given = (headers.get("svix-signature") ?? "").split(" ");
  return given.some((one) => isSame(one, `v1,${expected}`));
}
