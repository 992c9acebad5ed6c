import { facts } from "../frame/page-facts.ts";
import type { PasskeyAdd, PasskeyCreation, PasskeyRequest, PasskeyUse } from "./api.gen.ts";

/** Why this page may not ask for a passkey; null if it may. */
export type PasskeyHindrance = "address" | "elsewhere" | "browser";

export function passkeyHindrance(): PasskeyHindrance | null {
  if (facts.passkeyOrigin === null) return "address";
  if (location.origin !== facts.passkeyOrigin) return "elsewhere";
  const canRead = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;
  return canRead ? null : "browser";
}

/** The host for which passkeys of this console are valid. */
export const passkeyHost = facts.passkeyOrigin === null ? "" : new URL(facts.passkeyOrigin).hostname;

/** Lets the browser make a passkey. Null: the person gave up, or the device has one already. */
export async function makePasskey(options: PasskeyCreation): Promise<PasskeyAdd["credential"] | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await answered(navigator.credentials.create({ publicKey }));
  if (made === null) return null;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    response: {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
    },
  };
}

/** Lets the person choose a passkey. Null: they gave up, or there is none. */
export async function askForPasskey(options: PasskeyRequest): Promise<PasskeyUse["credential"] | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = await answered(navigator.credentials.get({ publicKey }));
  if (used === null) return null;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    used.response as AuthenticatorAssertionResponse;
  return {
    id: used.id,
    response: {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: base64url(userHandle ?? new ArrayBuffer()),
    },
  };
}

/** As `toJSON()` writes bytes. */
const base64url = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** If a person gives up, browsers say the same as for a device without a passkey (WebAuthn, section 14.5). */
const GIVEN_UP = new Set(["NotAllowedError", "AbortError", "InvalidStateError"]);

/**
 * Password managers answer in the browser's place, with objects of their own: only the members that hold bytes can be
 * relied on. Methods such as `toJSON()` and `getPublicKey()` are the browser's, and throw there.
 */
async function answered(asked: Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await asked) as PublicKeyCredential | null;
  } catch (error) {
    if (error instanceof DOMException && GIVEN_UP.has(error.name)) return null;
    throw error;
  }
}
