import { domainToASCII } from "node:url";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { codePoints, hasControlCharacter, hasUnseenSign, isLongerThan, trimUnseen } from "#core/text/text.ts";

export const ADDRESS_MAX = 254;
const TYPED_MAX = 4_096;
const LOCAL_PART_MAX = 64;
const DOMAIN_MAX = 253;

const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** As mail programs show it: "Ada <ada@example.com>". */
const NAME_AND_ADDRESS = /<[^<>@]+@[^<>@]+>$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ALL_DIGITS = /^[0-9]+$/;
/**
 * ASCII that no host name contains. Checked first, because `domainToASCII` reads its input as a browser would
 * (`%41` is `A`, `/` ends it).
 */
const FOREIGN_ASCII = /[^A-Za-z0-9.\-\u0080-\uFFFF]/;
/**
 * Matches most host names. `domainToASCII` would return them unchanged, so it is skipped.
 */
const ASCII_ALREADY = /^(?:[a-z0-9](?:-?[a-z0-9])*\.)+[a-z]+$/;
/**
 * An address that is in its stored form already, as most addresses from programs are. It is too short to
 * exceed any length limit.
 */
const STORED_ALREADY = /^(?=.{6,63}$)[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:-?[a-z0-9])*\.)+[a-z]+$/;
/** Must not have the flag `u`: with it, some characters outside ASCII would match these letters. */
const STORED_BUT_FOR_CASE = new RegExp(STORED_ALREADY.source, "i");

/**
 * The stored form of one email address: trimmed (signs that nobody sees count as blanks), in lower case, its domain as
 * an A-label. Parsing a stored form gives the same form.
 *
 * Narrower than RFC 5321 on purpose: a dot-atom of ASCII (at most 64 characters), one `@`, a host name that
 * `parseHostName` takes, and 254 characters in all, as typed and as stored. Quoted local parts, IP literals,
 * comments, display names and control characters are refused. The time is linear in the length of the input.
 */
export function parseEmailAddress(input: string): Result<string> {
  if (STORED_ALREADY.test(input)) return accept(input);
  if (STORED_BUT_FOR_CASE.test(input)) return accept(input.toLowerCase());
  // Too long to be an address, even with white space around it. Refused first, because the other checks read all of
  // it.
  if (input.length > TYPED_MAX) return tooLong();
  const text = trimUnseen(input);
  if (text === "") return invalid("The email address is missing. Give one like ada@example.com.");
  if (codePoints(text) > ADDRESS_MAX) return tooLong();
  if (hasControlCharacter(text))
    return invalid("The email address has a line break or another control character in it. Take it out.");
  if (NAME_AND_ADDRESS.test(text))
    return invalid("Give the email address alone, like ada@example.com, without a name and without <>.");
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
  if (hasUnseenSign(text))
    return invalid(
      "The email address has a sign in it that cannot be seen, such as a blank without width. Type it anew.",
    );
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
 * The stored form of a mail domain: lower-case A-labels (UTS #46, so `Bücher.example` becomes
 * `xn--bcher-kva.example`). At least two labels; only letters, digits and inner hyphens; no dot at the end;
 * the last label is not all digits. Does not trim.
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
  // Neither matched nor normalized: that takes quadratic time if all characters are combining marks.
  if (isLongerThan(text, DOMAIN_MAX)) return "";
  if (ASCII_ALREADY.test(text)) return text;
  return FOREIGN_ASCII.test(text) ? "" : domainToASCII(text);
}

const NOT_ASCII = /[\u0080-\uFFFF]/;
/** UTS #46 reads all of them as dots. */
const DOTS = /[.\u3002\uFF0E\uFF61]/;

/**
 * A piece of a mail domain as stored domains have it, label by label: `Bücher.` becomes `xn--bcher-kva.`. Labels of
 * ASCII stay as they are, and so does the whole piece if no domain can have it. A part of a label is taken for a
 * whole one: no part of the ASCII form stands for it.
 */
export function storedDomainPiece(text: string): string {
  if (!NOT_ASCII.test(text) || isLongerThan(text, DOMAIN_MAX)) return text;
  const labels = text
    .split(DOTS)
    .map((label) => ({ label, ascii: NOT_ASCII.test(label) ? toAscii(label) : label }));
  const isPiece = labels.every(({ label, ascii }) => label === "" || ascii !== "");
  return isPiece ? labels.map(({ ascii }) => ascii).join(".") : text;
}

/**
 * A piece of an address as stored addresses have it: what comes after the last `@` is a piece of a domain. Without an
 * `@` the piece may be of a local part, and stays as it is.
 */
export function storedAddressPiece(text: string): string {
  const domainAt = text.lastIndexOf("@") + 1;
  return domainAt === 0 ? text : text.slice(0, domainAt) + storedDomainPiece(text.slice(domainAt));
}

/** The domain of a stored address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
