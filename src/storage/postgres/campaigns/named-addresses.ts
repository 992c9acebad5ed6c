import { storableText } from "#core/text/stored-text.ts";

/** The addresses that may be somebody's, as jsonb takes them. No contact's has a NUL or half a character. */
export const namedAddresses = (addresses: readonly string[]): string =>
  JSON.stringify(addresses.filter((address) => storableText(address) === address));
