import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether an Authorization header carries the token of whoever runs the service (`METRICS_TOKEN`, `MAILBOX_TOKEN`). Without a token
 * none does.
 */
export function carriesToken(authorization: string | null, token: string | null): boolean {
  const [, sent] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  return token !== null && sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

/** Of one length, whatever was sent. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
