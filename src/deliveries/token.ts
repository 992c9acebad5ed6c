import { timingSafeEqual } from "node:crypto";
import { labelledHasher } from "#core/labelled-hasher.ts";

/** The purposes of a message's public links. A token for one purpose works for no other. */
const PURPOSES = ["open", "click", "unsubscribe"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** No message has this number. The links of test mails have its tokens: they belong to nobody. */
export const TEST_MESSAGE = 0;

/** How a token is made: the message's number, which is no secret, and the first bytes of its purpose's MAC. */
type Form = { readonly numberBytes: number; readonly macBytes: number; readonly characters: number };

/**
 * Every token has 22 characters, so that letters can be encoded once, with space for them. 80 bits of an HMAC are
 * what RFC 2104, 5 asks for: a guess is one request to this server, and is right once in 2^80 times. Nobody sends
 * more than 2^48 messages.
 */
const SHORT: Form = { numberBytes: 6, macBytes: 10, characters: 22 };
/** Used in mails of earlier versions, which must keep working, and in confirmation mails. */
const LONG: Form = { numberBytes: 8, macBytes: 16, characters: 32 };

const BASE64URL = /^[A-Za-z0-9_-]*$/;
/** How many bytes of a message's MAC are kept for each purpose. */
const MAC_BYTES = LONG.macBytes;
const NUMBER_BYTES = LONG.numberBytes;

export type MessageTokens = Readonly<Record<Purpose, string>> & {
  /** See `messageIdOf`. */
  readonly messageId: string;
};

/** One HMAC-SHA512 gives 64 bytes: sixteen for each purpose, and ten for the Message-ID. */
const messageHasher = labelledHasher("sha512", "message\0");
/**
 * The MAC of a confirmation link. It has a label of its own, so that the tokens of the other three links do
 * not change.
 */
const confirmationHasher = labelledHasher("sha256", "confirm\0");

const messageMacs = (secret: Uint8Array, number: Uint8Array): Buffer =>
  messageHasher(secret).update(number).digest();

const confirmationMac = (secret: Uint8Array, number: Uint8Array): Buffer =>
  confirmationHasher(secret).update(number).digest().subarray(0, MAC_BYTES);

function bytesOfNumber(message: number): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES);
  let rest = message;
  for (let at = NUMBER_BYTES - 1; rest > 0; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/** A token's bytes plus two, so that it ends with a group of three bytes, which are four characters. */
const TOKEN_STRIDE = 18;
const TEXT_STRIDE = 24;

/** A Message-ID has as many bytes of number and MAC as a token: 32 hex digits. */
const ID_NUMBER_BYTES = SHORT.numberBytes;
const ID_MAC_BYTES = SHORT.macBytes;
const ID_MAC_AT = PURPOSES.length * MAC_BYTES;

const idMac = (mac: Uint8Array): Uint8Array => mac.subarray(ID_MAC_AT, ID_MAC_AT + ID_MAC_BYTES);

/** The tokens of a message, by its number in the ledger. They cannot be guessed or forged without the secret. */
export function tokensOf(secret: Uint8Array, message: number): MessageTokens {
  const number = bytesOfNumber(message);
  const mac = messageMacs(secret, number);
  // All three are encoded in one piece, because this runs for every message.
  const tokens = new Uint8Array(PURPOSES.length * TOKEN_STRIDE);
  for (let index = 0; index < PURPOSES.length; index++)
    writeNumberAndMac(tokens, index * TOKEN_STRIDE, number, mac, index * MAC_BYTES);
  const text = tokens.toBase64({ alphabet: "base64url" });
  const { characters } = SHORT;
  return {
    open: text.slice(0, characters),
    click: text.slice(TEXT_STRIDE, TEXT_STRIDE + characters),
    unsubscribe: text.slice(2 * TEXT_STRIDE, 2 * TEXT_STRIDE + characters),
    messageId: idText(number, mac),
  };
}

/**
 * Writes the last bytes of a number, and the first ten of a MAC behind them. Byte by byte: for so few bytes that is
 * cheaper than views of the arrays.
 */
function writeNumberAndMac(
  into: Uint8Array,
  at: number,
  number: Uint8Array,
  mac: Uint8Array,
  macAt: number,
): void {
  const { numberBytes: length, macBytes } = SHORT;
  for (let n = 0; n < length; n++) into[at + n] = number[NUMBER_BYTES - length + n] ?? 0;
  for (let n = 0; n < macBytes; n++) into[at + length + n] = mac[macAt + n] ?? 0;
}

/**
 * The local part of a message's Message-ID: the same for every attempt. It says which message it is, so that a
 * report that returns it can be matched (`readMessageId`). It opens no page.
 */
export function messageIdOf(secret: Uint8Array, message: number): string {
  const number = bytesOfNumber(message);
  return idText(number, messageMacs(secret, number));
}

function idText(number: Uint8Array, mac: Uint8Array): string {
  const id = new Uint8Array(ID_NUMBER_BYTES + ID_MAC_BYTES);
  writeNumberAndMac(id, 0, number, mac, ID_MAC_AT);
  return id.toHex();
}

const MESSAGE_ID = /^<?([0-9a-f]{32})(?:@[^@<>\s]{1,253})?>?$/i;

/** Whether a Message-ID has the form of ours. Only `readMessageId` proves that it is. */
export const looksLikeOurs = (text: string): boolean => MESSAGE_ID.test(text);

/**
 * The message that a Message-ID belongs to, as written in a header: with or without angle brackets and domain. Null
 * if it was not made with this secret.
 */
export function readMessageId(secret: Uint8Array, text: string): number | null {
  const [, hex] = MESSAGE_ID.exec(text.trim()) ?? [];
  if (hex === undefined) return null;
  const bytes = Buffer.from(hex, "hex");
  const message = bytes.readUIntBE(0, ID_NUMBER_BYTES);
  const mac = idMac(messageMacs(secret, bytesOfNumber(message)));
  return timingSafeEqual(bytes.subarray(ID_NUMBER_BYTES), mac) ? message : null;
}

/** The message that a token belongs to; null if it was not made for this purpose with this secret. */
export function readToken(secret: Uint8Array, purpose: Purpose, token: string): number | null {
  const index = PURPOSES.indexOf(purpose);
  return messageOf(token, [SHORT, LONG], (number) =>
    messageMacs(secret, number).subarray(index * MAC_BYTES, (index + 1) * MAC_BYTES),
  );
}

/** The token in a confirmation mail's link, by the message's number in the ledger. */
export function confirmTokenOf(secret: Uint8Array, message: number): string {
  const number = bytesOfNumber(message);
  return Buffer.concat([number, confirmationMac(secret, number)]).toString("base64url");
}

/**
 * The message that a confirmation link belongs to; null if its token was not made for this purpose with this
 * secret.
 */
export function readConfirmToken(secret: Uint8Array, token: string): number | null {
  return messageOf(token, [LONG], (number) => confirmationMac(secret, number));
}

function messageOf(
  token: string,
  forms: readonly Form[],
  macOf: (number: Uint8Array) => Uint8Array,
): number | null {
  const form = forms.find(({ characters }) => characters === token.length);
  if (form === undefined || !BASE64URL.test(token)) return null;
  const { numberBytes: length, macBytes } = form;
  const bytes = Buffer.from(token, "base64url");
  // The last character of a short token has unused bits: only one spelling is accepted.
  if (bytes.toString("base64url") !== token) return null;
  const number = Buffer.alloc(NUMBER_BYTES);
  bytes.copy(number, NUMBER_BYTES - length, 0, length);
  return timingSafeEqual(bytes.subarray(length), macOf(number).subarray(0, macBytes))
    ? Number(number.readBigUInt64BE(0))
    : null;
}
