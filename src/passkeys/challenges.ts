import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";

/**
 * Challenges that a passkey signs (WebAuthn, section 13.4.3). A challenge that is given out is not stored. It
 * carries its expiry time and a code that only the holder of the database's secret can make. So nobody can fill the
 * database by asking for many, and other nodes accept it too. Used ones are stored until they expire (store.ts).
 */

/** How long somebody has to touch the key. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

const NONCE_BYTES = 16;
const TIME_BYTES = 8;

/** A challenge that was given out and has not expired. Only the store knows whether it was used. */
export type Challenge = { readonly text: string; readonly expiresAt: Instant };

/** Makes and reads challenges. @param secret the database's; challenges of another secret are not accepted */
export function challengesOf(secret: Uint8Array) {
  const codeOf = (holder: string, content: Uint8Array): Buffer =>
    createHmac("sha256", secret).update("passkey challenge ").update(content).update(holder).digest();

  return {
    /**
     * In base64url.
     * @param holder what it is for; it is not valid for anything else
     * @param nonce 16 random bytes
     */
    give(holder: string, now: Instant, nonce: Uint8Array): string {
      const end = new Uint8Array(TIME_BYTES);
      new DataView(end.buffer).setBigUint64(0, BigInt(now + CHALLENGE_MS));
      const content = Buffer.concat([nonce, end]);
      return Buffer.concat([content, codeOf(holder, content)]).toString("base64url");
    },

    /** Null: it was not given out for this holder, or has expired. */
    read(holder: string, text: string, now: Instant): Challenge | null {
      const bytes = Buffer.from(text, "base64url");
      const content = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
      const code = codeOf(holder, content);
      const given = bytes.subarray(NONCE_BYTES + TIME_BYTES);
      if (given.length !== code.length || !timingSafeEqual(given, code)) return null;
      const expiresAt = Number(content.readBigUInt64BE(NONCE_BYTES));
      // One that ends too late was given out before the clock was set back.
      if (expiresAt <= now || expiresAt > now + CHALLENGE_MS) return null;
      // The same bytes can be written in more ways than one.
      return { text: bytes.toString("base64url"), expiresAt };
    },
  };
}
