import { createHmac, timingSafeEqual } from "node:crypto";

/** What a public link of a message is for. A token for one purpose opens nothing else. */
const PURPOSES = ["open", "click", "unsubscribe"] as const;
export type Purpose = (typeof PURPOSES)[number];

const NUMBER_BYTES = 8;
const MAC_BYTES = 16;

/** Every token has 32 characters, so that letters are encoded once with room for them. */
const WELL_FORMED = /^[A-Za-z0-9_-]{32}$/;

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
  return {
    open: token(0),
    click: token(1),
    unsubscribe: token(2),
    messageId: mac.subarray(3 * MAC_BYTES).toString("hex"),
  };
}

/** The message a token belongs to; null for one that was not made for this purpose by this secret. */
export function readToken(secret: Uint8Array, purpose: Purpose, token: string): number | null {
  const index = PURPOSES.indexOf(purpose);
  return messageOf(token, (number) =>
    macs(secret, number).subarray(index * MAC_BYTES, (index + 1) * MAC_BYTES),
  );
}

/** The MAC of a link beside the three above: under a label of its own, so that those tokens stay what they are. */
function confirmMac(secret: Uint8Array, number: Uint8Array): Buffer {
  return createHmac("sha256", secret).update("confirm\0").update(number).digest().subarray(0, MAC_BYTES);
}

/** The token in a confirmation mail's link, by the message's place in the ledger. */
export function confirmTokenOf(secret: Uint8Array, message: number): string {
  const number = numberBytes(message);
  return Buffer.concat([number, confirmMac(secret, number)]).toString("base64url");
}

/** The message a confirmation's link belongs to; null for a token that was not made for this purpose by this secret. */
export function readConfirmToken(secret: Uint8Array, token: string): number | null {
  return messageOf(token, (number) => confirmMac(secret, number));
}

function messageOf(token: string, macOf: (number: Uint8Array) => Uint8Array): number | null {
  if (!WELL_FORMED.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const number = bytes.subarray(0, NUMBER_BYTES);
  return timingSafeEqual(bytes.subarray(NUMBER_BYTES), macOf(number))
    ? Number(bytes.readBigUInt64BE(0))
    : null;
}
