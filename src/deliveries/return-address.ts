import { timingSafeEqual } from "node:crypto";
import { labelledHasher } from "#core/labelled-hasher.ts";

/**
 * Addresses at the workspace's `bounceDomain` that belong to one message: bounces go to `b-<token>`, opt-outs by
 * mail to `u-<token>`. A token for one purpose does not work for the other.
 */
const PREFIXES = { bounce: "b-", unsubscribe: "u-" } as const;
export type ReturnPurpose = keyof typeof PREFIXES;

const NUMBER_BYTES = 8;
const MAC_BYTES = 16;
/** 24 bytes in base32: with the prefix 41 characters, of the 64 that a local part may have. */
const TOKEN_CHARACTERS = 39;

/** RFC 4648, 6, in lower case: mail servers on the way may change the case of a local part. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LOCAL_PART = new RegExp(`^([bu]-)([${ALPHABET}]{${TOKEN_CHARACTERS}})$`);

const PURPOSE_OF: ReadonlyMap<string, ReturnPurpose> = new Map([
  [PREFIXES.bounce, "bounce"],
  [PREFIXES.unsubscribe, "unsubscribe"],
]);

/** It has read everything before the purpose. */
const returnHasher = labelledHasher("sha256", "return\0");

/** The local part of a message's address, by its number in the ledger: nobody can forge it without the secret. */
export function returnLocalPart(secret: Uint8Array, purpose: ReturnPurpose, message: number): string {
  const bytes = new Uint8Array(NUMBER_BYTES + MAC_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(message));
  const mac = returnHasher(secret).update(purpose).update(bytes.subarray(0, NUMBER_BYTES)).digest();
  bytes.set(mac.subarray(0, MAC_BYTES), NUMBER_BYTES);
  return PREFIXES[purpose] + base32(bytes);
}

/** Which message an address belongs to, and for what; case does not matter. */
export type ReturnAddress = { readonly purpose: ReturnPurpose; readonly message: number };

/** Null if the address was not made with this secret. Its domain is not checked. */
export function readReturnAddress(secret: Uint8Array, address: string): ReturnAddress | null {
  const at = address.lastIndexOf("@");
  const localPart = (at === -1 ? address : address.slice(0, at)).toLowerCase();
  const [, prefix = "", token] = LOCAL_PART.exec(localPart) ?? [];
  const purpose = PURPOSE_OF.get(prefix);
  if (token === undefined || purpose === undefined) return null;
  const message = numberIn(token);
  if (message === null) return null;
  // The address is made again and compared as a whole, so that no second spelling of a token is accepted.
  const made = returnLocalPart(secret, purpose, message);
  return timingSafeEqual(Buffer.from(made), Buffer.from(localPart)) ? { purpose, message } : null;
}

/** 24 bytes are 38 groups of five bits, plus two bits. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let [bits, value] = [0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31];
}

/** The first 64 bits: twelve characters of five bits, and four bits of the next. Null if no row can have the number. */
function numberIn(token: string): number | null {
  let number = 0n;
  for (let index = 0; index < 12; index++)
    number = number * 32n + BigInt(ALPHABET.indexOf(token.charAt(index)));
  number = number * 16n + BigInt(ALPHABET.indexOf(token.charAt(12)) >> 1);
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : null;
}
