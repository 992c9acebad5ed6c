import type { Instant } from "#core/time/clock.ts";

/** A key in somebody's phone, computer or security key, with which they sign in instead of a password. */
export type Passkey = {
  readonly id: string;
  readonly name: string;
  /** The host name that it works at: the relying party's id (WebAuthn, section 4). */
  readonly host: string;
  /** How the authenticator names it, in base64url. */
  readonly credential: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
};

/** What its signatures are checked with. */
export type PasskeyProof = {
  /** SubjectPublicKeyInfo (RFC 5280, section 4.1). */
  readonly publicKey: Uint8Array;
  /** How often it has signed, as it says itself; many always say 0. */
  readonly counter: number;
};
