import { createPublicKey, type KeyObject } from "node:crypto";
import type { Cbor } from "./cbor.ts";

/** By their numbers in COSE (RFC 9053, RFC 8812): every device has one of them. */
const ES256 = -7;
const RS256 = -257;
export const ALGORITHMS = [ES256, RS256];

/** Bits of an RSA key. */
const RSA_BITS_MIN = 2048;

/** Labels and values of a COSE key (RFC 9052, section 7.1; RFC 9053, section 7.1; RFC 8230, section 4). */
const KEY_TYPE = 1;
const ALGORITHM = 3;
const [CURVE, X, Y] = [-1, -2, -3];
const [MODULUS, EXPONENT] = [-1, -2];
const ELLIPTIC = 2;
const P256 = 1;
const RSA = 3;

/**
 * The key that a device has made; null if it is none of `ALGORITHMS`, or none at all. It is read once more as it will be
 * kept: as a JWK, keys are taken that are too long to check a signature with.
 */
export function readCoseKey(cose: Cbor | undefined): KeyObject | null {
  const made = keyOfLabels(cose);
  return made && readKeptKey(keptKey(made));
}

function keyOfLabels(cose: Cbor | undefined): KeyObject | null {
  if (!(cose instanceof Map)) return null;
  const is = (label: number, value: number): boolean => cose.get(label) === value;
  const text = (label: number): string => {
    const bytes: unknown = cose.get(label);
    return bytes instanceof Buffer ? bytes.toString("base64url") : "";
  };
  if (is(KEY_TYPE, ELLIPTIC) && is(ALGORITHM, ES256) && is(CURVE, P256))
    return keyOf({ key: { kty: "EC", crv: "P-256", x: text(X), y: text(Y) }, format: "jwk" });
  if (is(KEY_TYPE, RSA) && is(ALGORITHM, RS256))
    return keyOf({ key: { kty: "RSA", n: text(MODULUS), e: text(EXPONENT) }, format: "jwk" });
  return null;
}

/** The key of a passkey that is kept. @param spki SubjectPublicKeyInfo (RFC 5280, section 4.1) */
export const readKeptKey = (spki: Uint8Array): KeyObject | null =>
  keyOf({ key: Buffer.from(spki), format: "der", type: "spki" });

export const keptKey = (key: KeyObject): Uint8Array => key.export({ format: "der", type: "spki" });

function keyOf(from: Exclude<Parameters<typeof createPublicKey>[0], string>): KeyObject | null {
  try {
    const key = createPublicKey(from);
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    const isEs256 = key.asymmetricKeyType === "ec" && namedCurve === "prime256v1";
    const isRs256 = key.asymmetricKeyType === "rsa" && modulusLength >= RSA_BITS_MIN;
    return isEs256 || isRs256 ? key : null;
  } catch {
    return null;
  }
}
