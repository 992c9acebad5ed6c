import { createHash } from "node:crypto";
import type { KeyScope } from "./scope.ts";

/** A key as it is stored, without the key itself. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  /** The first characters, to tell keys apart. */
  readonly prefix: string;
  readonly scope: KeyScope;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
};

const PREFIX_LENGTH = 10;

/** `pr_` and 43 characters of base64url from 32 random bytes (docs/decisions.md "Keys"). */
export function keyText(random: Uint8Array): string {
  return `pr_${Buffer.from(random).toString("base64url")}`;
}

export const keyPrefix = (key: string): string => key.slice(0, PREFIX_LENGTH);

/**
 * What the database stores of a key. Keys are 256 random bits, so a plain hash cannot be reversed by trying.
 */
export const keyHash = (key: string): Uint8Array => createHash("sha256").update(key).digest();

/**
 * The key of an `Authorization: Bearer …` header; the scheme may be in any case (RFC 9110, 11.1). Null if the
 * header cannot hold a key.
 */
export function bearerKey(authorization: string | null): string | null {
  return /^bearer +(pr_[A-Za-z0-9_-]{43}) *$/i.exec(authorization ?? "")?.[1] ?? null;
}
