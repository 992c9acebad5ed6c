/*
 * Values that may be written into our headers and URLs unchanged. These patterns check bytes only, not whether an
 * address can receive mail: no value that passes can end a line, open a bracket or start a second address.
 */

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const HOST_NAME = "[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*";
const ADDRESS = new RegExp(`^${DOT_ATOM}@${HOST_NAME}$`);
const DOT_ATOM_ONLY = new RegExp(`^${DOT_ATOM}$`);
const PRINTABLE = /^[\x21-\x7e]+$/;
const BASE_URL = /^https?:\/\/[^\s<>"'`\\?#]+[^\s<>"'`\\?#/]$/;

/** One ASCII address, `dot-atom@host` (RFC 5321, 4.5.3.1.3: at most 254 characters). */
export function isWireAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}

/** The text between the angle brackets of a Message-ID (RFC 5322, 3.6.4). */
export function isWireMessageId(text: string): boolean {
  return text.length <= 250 && ADDRESS.test(text);
}

/** An id that can be a sequence of labels in a List-Id (RFC 2919, 2). */
export function isWireId(text: string): boolean {
  return text.length <= 100 && DOT_ATOM_ONLY.test(text);
}

/** A value without spaces, for a field such as Feedback-ID. */
export function isWireValue(text: string): boolean {
  return text.length <= 250 && PRINTABLE.test(text);
}

/** An `http` or `https` address without a trailing slash, query or fragment. */
export function isWireBaseUrl(text: string): boolean {
  return text.length <= 250 && PRINTABLE.test(text) && BASE_URL.test(text);
}
