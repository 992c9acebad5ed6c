const LOGIN = /^([a-z0-9]+:\/\/)([^:\s]+):(\S+)@([^@\s]+)$/i;
/** What must not stand in the login of a URL as it is; also a percent sign that encodes nothing. */
const RESERVED = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=%-]/gi;

const encoded = (text: string): string => text.replaceAll(RESERVED, encodeURIComponent);

/**
 * Addresses of servers, with users and passwords as people copy them from their provider: a password may have any
 * character, of which `#`, `/`, `?` and `@` would end it. What is encoded already stays so.
 */
export const withEncodedLogin = (addresses: string): string =>
  addresses
    .trim()
    .split(/\s+/)
    .map((address) =>
      address.replace(
        LOGIN,
        (_, scheme: string, user: string, password: string, rest: string) =>
          `${scheme}${encoded(user)}:${encoded(password)}@${rest}`,
      ),
    )
    .join(" ");
