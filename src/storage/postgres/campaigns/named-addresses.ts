import { storableText } from "#core/text/stored-text.ts";

/** The addresses that may be a contact's, as jsonb accepts them. None of these has NUL or half a character. */
export const namedAddresses = (addresses: readonly string[]): string =>
  JSON.stringify(addresses.filter((address) => storableText(address) === address));
