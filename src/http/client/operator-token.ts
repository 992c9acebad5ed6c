import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether an Authorization header carries the token of the operator (`METRICS_TOKEN`, `MAILBOX_TOKEN`). If no
 * token is configured, none does.
 */
export function carriesToken(authorization: string | null, token: string | null): boolean {
  const [, sent] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  return token !== null && sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

/** Hashed, so that both texts have the same length. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
