import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { errorText } from "#core/errors/thrown.ts";

const BITS_MIN = 2048;

export type DkimKey = {
  readonly privateKey: KeyObject;
  /** The public half, DER in base64: the `p=` value of the DNS record. */
  readonly publicKey: string;
};

/**
 * Reads a signing key from its PEM: RSA of at least 2048 bits (RFC 8301, section 3.2). The refusal completes a
 * sentence that begins with the file's name.
 */
export function parseDkimKey(pem: string): Result<DkimKey> {
  const privateKey = privateKeyOf(pem);
  if (typeof privateKey === "string") return invalid(`cannot be read as a key (${privateKey})`);
  if (privateKey.asymmetricKeyType !== "rsa") return invalid("is no RSA key");
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < BITS_MIN) return invalid(`has only ${bits} bits; ${BITS_MIN} are needed`);
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return accept({ privateKey, publicKey: publicKey.toString("base64") });
}

function privateKeyOf(pem: string): KeyObject | string {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    return errorText(error);
  }
}
