import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "#core/clock.ts";
import { MINUTE_MS } from "#core/time.ts";

/** How long somebody has to touch the key. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

const NONCE_BYTES = 16;
const TIME_BYTES = 8;

/**
 * Challenges that a passkey signs (WebAuthn, section 13.4.3). One that is given out is not stored: it carries
 * its expiry time, and a code that only this process can make. So nobody fills the memory by asking for many.
 * Used ones are remembered until they expire. A restart makes all of them worthless.
 */
export class Challenges {
  readonly #used = new Map<string, Instant>();

  /** @param key 32 bytes that nobody else has */
  constructor(private readonly key: Uint8Array) {}

  /**
   * @param holder what it is for: it is good for nothing else
   * @param nonce 16 bytes of chance
   */
  give(holder: string, now: Instant, nonce: Uint8Array): Uint8Array<ArrayBuffer> {
    const end = new Uint8Array(TIME_BYTES);
    new DataView(end.buffer).setBigUint64(0, BigInt(now + CHALLENGE_MS));
    const said = Buffer.concat([nonce, end]);
    return new Uint8Array(Buffer.concat([said, this.#codeOf(holder, said)]));
  }

  /** Whether it was given out for this holder, has not expired, and was not used before. Marks it as used. */
  take(holder: string, challenge: string, now: Instant): boolean {
    for (const [used, end] of this.#used) if (end <= now) this.#used.delete(used);
    const bytes = Buffer.from(challenge, "base64url");
    const said = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
    const code = this.#codeOf(holder, said);
    const given = bytes.subarray(NONCE_BYTES + TIME_BYTES);
    if (given.length !== code.length || !timingSafeEqual(given, code)) return false;
    const end = Number(said.readBigUInt64BE(NONCE_BYTES));
    // The same bytes can be written in more ways than one.
    const known = bytes.toString("base64url");
    // One that ends too late was given out before the clock was set back.
    if (end <= now || end > now + CHALLENGE_MS || this.#used.has(known)) return false;
    this.#used.set(known, end);
    return true;
  }

  #codeOf(holder: string, said: Uint8Array): Buffer {
    return createHmac("sha256", this.key).update(said).update(holder).digest();
  }
}
