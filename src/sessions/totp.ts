import { Secret, TOTP } from "otpauth";
import type { Instant } from "#core/clock.ts";

/** Codes of an authenticator app (RFC 6238): six digits, thirty seconds, SHA-1, as every app takes them. */
const STEP_MS = 30_000;
/** Clocks of phones are a little off: the code before and the code after are taken too. */
const STEPS_OFF = 1;

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer: "Postrider", label, secret: Secret.fromBase32(secret) });

/** 160 bits, as RFC 4226 section 4 recommends, in base32. */
export const newTotpSecret = (random: Uint8Array): string =>
  new Secret({ buffer: new Uint8Array(random).buffer }).base32;

/** What an app reads from the QR code. */
export const totpAddress = (secret: string, email: string): string => totpOf(secret, email).toString();

/**
 * The step of a valid code. Null: the code is wrong now, or was used before. Each code works once, so that
 * somebody who watched it being typed comes too late.
 * @param usedStep the newest step that was used
 */
export function totpStep(secret: string, code: string, now: Instant, usedStep: number | null): number | null {
  const token = code.replaceAll(" ", "");
  const delta = totpOf(secret, "").validate({ token, timestamp: now, window: STEPS_OFF });
  if (delta === null) return null;
  const step = Math.floor(now / STEP_MS) + delta;
  return usedStep !== null && step <= usedStep ? null : step;
}
