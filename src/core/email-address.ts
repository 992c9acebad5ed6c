import { domainToASCII } from "node:url";
import { accept, invalid, type Result } from "./errors.ts";
import { codePoints, hasControlCharacter } from "./text.ts";

const ADDRESS_MAX = 254;
const TYPED_MAX = 4_096;
const LOCAL_PART_MAX = 64;
const DOMAIN_MAX = 253;

const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ALL_DIGITS = /^[0-9]+$/;
/** ASCII that no host name has. `domainToASCII` reads its input like a browser would (`%41` is `A`, `/` ends it), so this goes first. */
const FOREIGN_ASCII = /[^A-Za-z0-9.\-\u0080-\uFFFF]/;
/** Most host names: `domainToASCII` gives them back, at a tenth of an address's whole cost. */
const ASCII_ALREADY = /^(?:[a-z0-9](?:-?[a-z0-9])*\.)+[a-z]+$/;
/** What is in its stored form already, as most addresses a program sends are: short enough that no length can be exceeded. */
const STORED_ALREADY = /^(?=.{6,63}$)[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:-?[a-z0-9])*\.)+[a-z]+$/;
/** Without the flag `u` no character outside ASCII stands for one of these. */
const STORED_BUT_FOR_CASE = new RegExp(STORED_ALREADY.source, "i");

/**
 * The stored form of one email address: trimmed, lowercased, its domain as an A-label. Parsing a stored form gives it back.
 *
 * Narrower than RFC 5321 on purpose: a dot-atom of ASCII (at most 64 characters), one `@`, a host name as `parseHostName` takes it,
 * 254 characters in all, as typed and as stored. Quoted local parts, IP literals, comments, display names and control
 * characters are refused. Linear in the length of the input.
 */
export function parseEmailAddress(input: string): Result<string> {
  if (STORED_ALREADY.test(input)) return accept(input);
  if (STORED_BUT_FOR_CASE.test(input)) return accept(input.toLowerCase());
  // Longer than anything that could be one, white space and all: not worth a walk through it.
  if (input.length > TYPED_MAX) return tooLong();
  const text = input.trim();
  if (text === "") return invalid("The email address is missing. Give one like ada@example.com.");
  if (codePoints(text) > ADDRESS_MAX) return tooLong();
  if (hasControlCharacter(text))
    return invalid("The email address has a line break or another control character in it. Take it out.");
  const at = text.indexOf("@");
  if (at === -1) return invalid("The email address has no @. Give one like ada@example.com.");
  if (text.includes("@", at + 1))
    return invalid("The email address has more than one @. Give exactly one address, like ada@example.com.");
  const localPart = parseLocalPart(text.slice(0, at));
  if (!localPart.ok) return localPart;
  const domain = parseHostName(text.slice(at + 1));
  if (!domain.ok) return domain;
  const address = `${localPart.value}@${domain.value}`;
  return address.length > ADDRESS_MAX ? tooLong() : accept(address);
}

function parseLocalPart(text: string): Result<string> {
  if (!DOT_ATOM.test(text)) {
    return invalid(
      "The part of the email address before the @ must be ASCII letters, digits, single dots inside, or any of !#$%&'*+-/=?^_`{|}~: no spaces, quotes, comments or display name.",
    );
  }
  if (text.length > LOCAL_PART_MAX)
    return invalid(`The part of the email address before the @ is longer than ${LOCAL_PART_MAX} characters.`);
  return accept(text.toLowerCase());
}

const tooLong = () => invalid(`The email address is longer than ${ADDRESS_MAX} characters.`);

/**
 * The stored form of a mail domain: lowercase A-labels (UTS #46, so `Bücher.example` is `xn--bcher-kva.example`), at least two,
 * letters, digits and inner hyphens only, no trailing dot, a last label that is not all digits. No trimming.
 */
export function parseHostName(text: string): Result<string> {
  const ascii = toAscii(text);
  const labels = ascii.split(".");
  if (ascii === "" || ascii.length > DOMAIN_MAX || !labels.every((label) => LABEL.test(label))) {
    return invalid(
      "The domain must be a host name like example.com: letters, digits and inner hyphens between single dots, nothing before or after.",
    );
  }
  if (labels.length < 2) return invalid("The domain must have a dot, like example.com.");
  if (ALL_DIGITS.test(labels.at(-1) ?? ""))
    return invalid("The domain must be a host name like example.com, not an IP address or a number.");
  return accept(ascii);
}

function toAscii(text: string): string {
  if (ASCII_ALREADY.test(text)) return text;
  return FOREIGN_ASCII.test(text) ? "" : domainToASCII(text);
}

/** The domain of a stored address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
