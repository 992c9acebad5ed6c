import type { KeyObject } from "node:crypto";
import { readCbor } from "./cbor.ts";
import { readCoseKey } from "./public-key.ts";

/** Flags of section 6.1 of WebAuthn. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const CREDENTIAL_INCLUDED = 0x40;

/** What a device says of itself (WebAuthn, section 6.1). */
export type AuthenticatorData = {
  /** SHA-256 of the host that it was asked for. */
  readonly hostHash: Buffer;
  /** Somebody was there, and the device has checked who. */
  readonly hasChecked: boolean;
  readonly counter: number;
};

/** A passkey that a device has just made. */
export type MadePasskey = AuthenticatorData & {
  /** How the device names it, in base64url. */
  readonly credential: string;
  readonly key: KeyObject;
};

/** Section 6.1: 32 bytes of hash, one of flags, four of counter. Null if it is something else. */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData | null {
  if (bytes.length < 37) return null;
  const flags = bytes.readUInt8(32);
  const isKept = (flags & BACKED_UP) === 0 || (flags & BACKUP_ELIGIBLE) !== 0;
  // A credential is included as a whole, or not at all.
  if (!isKept || ((flags & CREDENTIAL_INCLUDED) !== 0 && bytes.length < 55)) return null;
  const hasChecked = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0;
  return { hostHash: bytes.subarray(0, 32), hasChecked, counter: bytes.readUInt32BE(33) };
}

/** No attestation is longer, with the certificates of its maker. */
const ATTESTATION_BYTES_MAX = 64 * 1024;

/**
 * Section 6.5: the authenticator data, and in it the new passkey (section 6.5.1). What the device's maker attests is
 * not looked at. Null if it cannot be read.
 */
export function readAttestation(attestationObject: Buffer): MadePasskey | null {
  if (attestationObject.length > ATTESTATION_BYTES_MAX) return null;
  const attestation = readCbor(attestationObject);
  const bytes: unknown = attestation instanceof Map ? attestation.get("authData") : null;
  if (!(bytes instanceof Buffer)) return null;
  const data = readAuthenticatorData(bytes);
  if (data === null || (bytes.readUInt8(32) & CREDENTIAL_INCLUDED) === 0) return null;
  // 16 bytes name the model of the device, and two say how long the id is: at most 1023 bytes.
  const length = bytes.readUInt16BE(53);
  const id = bytes.subarray(55, 55 + length);
  if (length === 0 || length > 1023 || id.length < length) return null;
  const key = readCoseKey(readCbor(bytes.subarray(55 + length)));
  return key && { ...data, credential: id.toString("base64url"), key };
}
