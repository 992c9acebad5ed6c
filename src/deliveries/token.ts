import { createHmac, timingSafeEqual } from "node:crypto";

/** What a public link of a message is for. A token for one purpose opens nothing else. */
export const PURPOSES = ["open", "click", "unsubscribe"] as const;
export type Purpose = (typeof PURPOSES)[number];

const NUMBER_BYTES = 8;
const MAC_BYTES = 16;

/** Every token has this many characters, so that letters are encoded once with room for them. */
export const TOKEN_LENGTH = 32;

export type MessageTokens = Readonly<Record<Purpose, string>> & {
  /** The local part of the Message-ID: the same for every attempt, and good for nothing else. */
  readonly messageId: string;
};

/** One HMAC-SHA512 gives 64 bytes: sixteen (128 bits) for each purpose, and sixteen for the Message-ID. */
function macs(secret: Uint8Array, number: Uint8Array): Buffer {
  return createHmac("sha512", secret).update("message\0").update(number).digest();
}

function numberBytes(message: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(BigInt(message));
  return bytes;
}

/** The tokens of a message, by its place in the ledger: they cannot be guessed or forged without the secret. */
export function tokensOf(secret: Uint8Array, message: number): MessageTokens {
  const number = numberBytes(message);
  const mac = macs(secret, number);
  const token = (index: number) =>
    Buffer.concat([number, mac.subarray(index * MAC_BYTES, (index + 1) * MAC_BYTES)]).toString("base64url");
  return { open: token(0), click: token(1), unsubscribe: token(2), messageId: mac.subarray(3 * MAC_BYTES).toString("hex") };
}

/** The message a token belongs to; null for one that was not made for this purpose by this secret. */
export function readToken(secret: Uint8Array, purpose: Purpose, token: string): number | null {
  const bytes = Buffer.from(token, "base64url");
  if (token.length !== TOKEN_LENGTH || bytes.length !== NUMBER_BYTES + MAC_BYTES) return null;
  const number = bytes.subarray(0, NUMBER_BYTES);
  const index = PURPOSES.indexOf(purpose);
  const mac = macs(secret, number).subarray(index * MAC_BYTES, (index + 1) * MAC_BYTES);
  return timingSafeEqual(bytes.subarray(NUMBER_BYTES), mac) ? Number(bytes.readBigUInt64BE(0)) : null;
}
