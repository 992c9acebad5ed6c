import { createHash, verify } from "node:crypto";
import { readAttestation, readAuthenticatorData, type AuthenticatorData } from "./authenticator-data.ts";
import type { Challenge } from "./challenges.ts";
import type { PasskeyProof } from "./passkey.ts";
import { keptKey, readKeptKey } from "./public-key.ts";
import type { Site } from "./site.ts";

/**
 * Checks what a browser answers (WebAuthn Level 3, sections 7.1 and 7.2). Of a new passkey it reads the attestation
 * object, because every browser and every program that keeps passkeys gives it; several of them have no working
 * `getPublicKey()` or `toJSON()`. No certificate of the device's maker is asked for, so none is checked.
 */

/** All in base64url. */
type Answer = { readonly clientDataJSON: string };
export type NewAnswer = Answer & { readonly attestationObject: string };
export type UseAnswer = Answer & { readonly authenticatorData: string; readonly signature: string };

/** What an answer must contain: the site where it was made, and a valid challenge. */
export type Expected = Site & { challengeOf(text: string): Challenge | null };

/** What an answer signed. A challenge is valid once: the code that accepts the answer must mark it as used. */
type Signed = { readonly challenge: Challenge };

/** A new passkey; null if something about it is wrong. */
export function checkNew(
  answer: NewAnswer,
  expected: Expected,
): (PasskeyProof & Signed & { readonly credential: string }) | null {
  const made = readAttestation(bytesOf(answer.attestationObject));
  if (made === null) return null;
  const challenge = challengeOfPage(answer, "webauthn.create", expected);
  if (challenge === null || !isOfPerson(made, expected)) return null;
  const { credential, counter, key } = made;
  return { credential, publicKey: keptKey(key), counter, challenge };
}

/** The passkey's new signature counter, and the challenge; null if something is wrong. */
export function checkUse(
  answer: UseAnswer,
  { publicKey, counter }: PasskeyProof,
  expected: Expected,
): (Signed & Pick<PasskeyProof, "counter">) | null {
  const authenticatorData = bytesOf(answer.authenticatorData);
  const data = readAuthenticatorData(authenticatorData);
  const key = readKeptKey(publicKey);
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
const isOfPerson = ({ hostHash, hasChecked }: AuthenticatorData, { host }: Site): boolean =>
  hasChecked && hostHash.equals(sha256(Buffer.from(host)));

/** Section 5.8.1. */
function readClientData(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(bytes.toString());
    return typeof read === "object" && read !== null ? { ...read } : null;
  } catch {
    return null;
  }
}

const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, "base64url");
const sha256 = (data: Buffer): Buffer => createHash("sha256").update(data).digest();
