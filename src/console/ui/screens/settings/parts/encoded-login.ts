const LOGIN = /^([a-z0-9]+:\/\/)([^:\s]+):(.+)@([^@\s]+)$/i;
/** A mailbox's folder may have an `@` too: the host is the first name with a dot that ends there. */
const OF_MAILBOX =
  /^((?:imap|pop3)s?:\/\/)([^:\s]+):(.+?)@((?:[\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?(?:\/\S*)?)$/i;
/** What must not stand in the login of a URL as it is. */
const RESERVED = /[^\w.~!$&'()*+,;=%-]/gu;
/** Several addresses are separated by spaces; a password may have some. */
const BETWEEN = /\s+(?=[a-z0-9]+:\/\/)/i;

/**
 * Addresses of servers, with users and passwords as people copy them from their provider: a password may have any
 * character, of which `#`, `/`, `?` and `@` would end it. What is encoded already stays so.
 */
export const withEncodedLogin = (addresses: string): string =>
  addresses
    .trim()
    .split(BETWEEN)
    .map((address) => {
      const [, scheme, user = "", password = "", rest] =
        OF_MAILBOX.exec(address) ?? LOGIN.exec(address) ?? [];
      return scheme === undefined ? address : `${scheme}${encoded(user)}:${encoded(password)}@${rest}`;
    })
    .join(" ");

/** If one of its percent signs encodes nothing, none does. */
const encoded = (text: string): string =>
  (isEncoded(text) ? text : text.replaceAll("%", "%25"))
    .toWellFormed()
    .replaceAll(RESERVED, encodeURIComponent);

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
