import { KeptBytes } from "#core/kept-bytes.ts";
import type { Clock } from "#core/time/clock.ts";
import {
  isCertificateAddress,
  readCertificate,
  isSignedWith,
  isAmazons,
  type SnsCertificate,
  type SnsMessage,
} from "./sns.ts";
import { DAY_MS } from "#core/time/time.ts";

/** The text that an address answered; null if it failed or the answer was too long. */
export type Ask = (address: string, signal: AbortSignal) => Promise<string | null>;

const TIME_LIMIT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** A certificate is fetched again after this long, or when it expires, whichever is earlier. */
const KEPT_MS = DAY_MS;
const KEPT_MAX = 50;

/** Asks over HTTPS. A redirect could lead anywhere, so it counts as a failure. */
export const askByHttps: Ask = async (address, signal) => {
  const response = await fetch(address, { redirect: "error", signal });
  if (!response.ok || response.body === null) return null;
  const kept = new KeptBytes(ANSWER_BYTES_MAX);
  let size = 0;
  for await (const piece of response.body) {
    size += piece.byteLength;
    if (size > ANSWER_BYTES_MAX) return null;
    kept.add(piece);
  }
  return kept.buffer().toString("utf8");
};

export type Amazon = ReturnType<typeof amazonSns>;

/**
 * What this service asks of Amazon SNS: the certificates of its signatures, and to confirm a subscription. Only
 * Amazon's own addresses are called (`isAmazons`), whatever a message contains.
 */
export function amazonSns({ clock, ask }: { readonly clock: Clock; readonly ask: Ask }) {
  const kept = new Map<string, SnsCertificate>();

  async function within(address: string): Promise<string | null> {
    const timeUp = new AbortController();
    const cancel = clock.setTimer(TIME_LIMIT_MS, () => timeUp.abort());
    try {
      return await ask(address, timeUp.signal);
    } catch {
      return null;
    } finally {
      cancel();
    }
  }

  async function certificateAt(address: string): Promise<SnsCertificate | null> {
    const known = kept.get(address);
    if (known !== undefined && clock.now() < known.until) return known;
    const pem = await within(address);
    const certificate = pem === null ? null : readCertificate(pem, clock.now());
    if (certificate === null) return null;
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(address, { ...certificate, until: Math.min(certificate.until, clock.now() + KEPT_MS) });
    return certificate;
  }

  return {
    /** `unknown`: the certificate could not be fetched from Amazon, so the message must be sent again. */
    async judge(message: SnsMessage): Promise<"genuine" | "forged" | "unknown"> {
      if (!isCertificateAddress(message.certificateUrl)) return "forged";
      const certificate = await certificateAt(message.certificateUrl);
      if (certificate === null) return "unknown";
      return isSignedWith(certificate, message) ? "genuine" : "forged";
    },

    /** Whether Amazon accepted the confirmation. */
    confirm: async ({ subscribeUrl }: SnsMessage): Promise<boolean> =>
      isAmazons(subscribeUrl) && (await within(subscribeUrl)) !== null,
  };
}
