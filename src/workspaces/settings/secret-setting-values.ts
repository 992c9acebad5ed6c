import { createPublicKey } from "node:crypto";
import { optional } from "./setting-values.ts";

/** Keys by which a report to us, or a call of ours, is known to be real. No refusal repeats their value. */

export const hookSecret = optional("32 to 64 letters, digits, - or _", (text) =>
  /^[A-Za-z0-9_-]{32,64}$/.test(text) ? text : undefined,
);

export const signingKey = optional("a key of 16 to 200 visible characters", (text) =>
  /^[\x21-\x7E]{16,200}$/.test(text) ? text : undefined,
);

/** SubjectPublicKeyInfo in base64, as SendGrid shows its key. */
export const ecPublicKey = optional("the base64 of an ECDSA public key", (text) =>
  isEcKey(text) ? text : undefined,
);

function isEcKey(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{40,400}={0,2}$/.test(text)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A Standard Webhooks secret: our own, or that of a provider that signs in the same way. */
export const signingSecret = optional("whsec_ and the base64 of 24 to 64 bytes", (text) => {
  const encoded = text.startsWith("whsec_") ? text.slice("whsec_".length) : "";
  const length = BASE64.test(encoded) ? Buffer.byteLength(encoded, "base64") : 0;
  return length >= 24 && length <= 64 ? text : undefined;
});
