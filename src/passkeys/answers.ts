import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";
import type { Challenge } from "./challenges.ts";
import type { PasskeyProof } from "./passkey.ts";
import type { Site } from "./site.ts";

/**
 * Checks what a browser answers (WebAuthn Level 3, sections 7.1 and 7.2). Reads the members that `toJSON()`
 * gives: they have the public key beside the CBOR (section 5.2.1.1), so no CBOR is parsed. No certificate of
 * the device's maker is asked for, so none is checked.
 */

/** ES256 and RS256, by their numbers in COSE (RFC 9053, RFC 8812): every device has one of them. */
export const ALGORITHMS = [-7, -257];

/** Bits of an RSA key. */
const RSA_BITS_MIN = 2048;

/** All in base64url. */
type Answer = { readonly clientDataJSON: string; readonly authenticatorData: string };
export type NewAnswer = Answer & { readonly publicKey: string };
export type UseAnswer = Answer & { readonly signature: string };

/** What an answer must contain: the site where it was made, and a valid challenge. */
export type Expected = Site & { challengeOf(text: string): Challenge | null };

/** What an answer signed. A challenge is valid once: the code that accepts the answer must mark it as used. */
type Signed = { readonly challenge: Challenge };

/** A new passkey; null if something about it is wrong. */
export function checkNew(
  answer: NewAnswer,
  expected: Expected,
): (PasskeyProof & Signed & { readonly credential: string }) | null {
  const data = readAuthenticatorData(bytesOf(answer.authenticatorData));
  const publicKey = bytesOf(answer.publicKey);
  if (data === null || data.credential === null || readKey(publicKey) === null) return null;
  const challenge = challengeOfPage(answer, "webauthn.create", expected);
  if (challenge === null || !isOfPerson(data, expected)) return null;
  return { credential: data.credential, publicKey, counter: data.counter, challenge };
}

/** The passkey's new signature counter, and the challenge; null if something is wrong. */
export function checkUse(
  answer: UseAnswer,
  { publicKey, counter }: PasskeyProof,
  expected: Expected,
): (Signed & Pick<PasskeyProof, "counter">) | null {
  const authenticatorData = bytesOf(answer.authenticatorData);
  const data = readAuthenticatorData(authenticatorData);
  const key = readKey(publicKey);
  if (data === null || key === null) return null;
  const challenge = challengeOfPage(answer, "webauthn.get", expected);
  if (challenge === null || !isOfPerson(data, expected)) return null;
  const signed = Buffer.concat([authenticatorData, sha256(bytesOf(answer.clientDataJSON))]);
  if (!verify("sha256", signed, key, bytesOf(answer.signature))) return null;
  // A counter that does not grow is the sign of a copied passkey (section 6.1.1).
  const hasGoneOn = data.counter > counter || (data.counter === 0 && counter === 0);
  return hasGoneOn ? { counter: data.counter, challenge } : null;
}

/** The challenge that our page asked for just now; null if it was not our page. */
function challengeOfPage(
  { clientDataJSON }: Answer,
  type: string,
  { origin, challengeOf }: Expected,
): Challenge | null {
  const client = readClientData(bytesOf(clientDataJSON));
  if (client === null || client["type"] !== type || client["origin"] !== origin) return null;
  const challenge = client["challenge"];
  if (client["crossOrigin"] === true || typeof challenge !== "string") return null;
  return challengeOf(challenge);
}

/** Whether it is for this host, and the device has checked the person in front of it. */
function isOfPerson({ hostHash, flags }: AuthenticatorData, { host }: Site): boolean {
  const isKept = (flags & BACKED_UP) === 0 || (flags & BACKUP_ELIGIBLE) !== 0;
  const isChecked = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0;
  return isKept && isChecked && hostHash.equals(sha256(Buffer.from(host)));
}

/** Flags of section 6.1. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const CREDENTIAL_INCLUDED = 0x40;

type AuthenticatorData = {
  readonly hostHash: Buffer;
  readonly flags: number;
  readonly counter: number;
  /** Of a new passkey, in base64url. */
  readonly credential: string | null;
};

/** Section 6.1: 32 bytes of hash, one of flags, four of counter; then section 6.5.1. */
function readAuthenticatorData(bytes: Buffer): AuthenticatorData | null {
  if (bytes.length < 37) return null;
  const flags = bytes.readUInt8(32);
  const fixed = { hostHash: bytes.subarray(0, 32), flags, counter: bytes.readUInt32BE(33) };
  if ((flags & CREDENTIAL_INCLUDED) === 0) return { ...fixed, credential: null };
  // 16 bytes name the model of the device, and two say how long the id is: at most 1023 bytes.
  const length = bytes.length < 55 ? 0 : bytes.readUInt16BE(53);
  const id = bytes.subarray(55, 55 + length);
  if (length === 0 || length > 1023 || id.length < length) return null;
  return { ...fixed, credential: id.toString("base64url") };
}

/** Section 5.8.1. */
function readClientData(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(bytes.toString());
    return typeof read === "object" && read !== null ? { ...read } : null;
  } catch {
    return null;
  }
}

/** A key that one of `ALGORITHMS` signs with; null if it is another, or none. */
function readKey(spki: Uint8Array): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    const isEs256 = key.asymmetricKeyType === "ec" && namedCurve === "prime256v1";
    const isRs256 = key.asymmetricKeyType === "rsa" && modulusLength >= RSA_BITS_MIN;
    return isEs256 || isRs256 ? key : null;
  } catch {
    return null;
  }
}

const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, "base64url");
const sha256 = (data: Buffer): Buffer => createHash("sha256").update(data).digest();
