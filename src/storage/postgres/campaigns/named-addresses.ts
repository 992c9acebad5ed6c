import { ADDRESS_MAX } from "#core/addresses/email-address.ts";
import { storableText } from "#core/text/stored-text.ts";

/**
 * The addresses that may be a contact's, as jsonb accepts them. None of these has NUL or half a character, nor is
 * longer than an address may be: an index accepts no text of some thousand bytes.
 */
export const namedAddresses = (addresses: readonly string[]): string =>
  JSON.stringify(
    addresses.filter((address) => address.length <= ADDRESS_MAX && storableText(address) === address),
  );
