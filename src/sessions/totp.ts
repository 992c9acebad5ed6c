import type { TOTP } from "otpauth";
import type { Instant } from "#core/time/clock.ts";

/** Codes of an authenticator app (RFC 6238): six digits, thirty seconds, SHA-1, as every app takes them. */
const STEP_MS = 30_000;
/** Clocks of phones are a little off: the code before and the code after are taken too. */
const STEPS_OFF = 1;

/** Few people sign in with a code, so the library is loaded by the first who does. */
const library = () => import("otpauth");

async function totpOf(secret: string, label: string): Promise<TOTP> {
  const { Secret, TOTP: Totp } = await library();
  return new Totp({ issuer: "Postrider", label, secret: Secret.fromBase32(secret) });
}

/** 160 bits, as RFC 4226 section 4 recommends, in base32. */
export async function newTotpSecret(random: Uint8Array): Promise<string> {
  const { Secret } = await library();
  return new Secret({ buffer: new Uint8Array(random).buffer }).base32;
}

/** What an app reads from the QR code. */
export const totpAddress = async (secret: string, email: string): Promise<string> =>
  (await totpOf(secret, email)).toString();

/**
 * The step of a valid code. Null: the code is wrong now, or was used before. Each code works once, so that
 * somebody who watched it being typed comes too late.
 * @param usedStep the newest step that was used
 */
export async function totpStep(
  secret: string,
  code: string,
  now: Instant,
  usedStep: number | null,
): Promise<number | null> {
  const delta = (await totpOf(secret, "")).validate({
    token: digitsOf(code),
    timestamp: now,
    window: STEPS_OFF,
  });
  if (delta === null) return null;
  const step = Math.floor(now / STEP_MS) + delta;
  return usedStep !== null && step <= usedStep ? null : step;
}

/** No app shows more than six digits with spaces between them; strangers may send megabytes. */
const CODE_UNITS_MAX = 32;

/**
 * The digits of a code, however it was typed or copied: with spaces of any kind, or in the wide digits of a Japanese
 * keyboard (Unicode NFKC, as passwords).
 */
const digitsOf = (code: string): string =>
  code.slice(0, CODE_UNITS_MAX).normalize("NFKC").replaceAll(/\s/gu, "");
