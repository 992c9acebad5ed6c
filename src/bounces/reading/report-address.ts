/** Addresses as reports name them. */
import { parseEmailAddress } from "#core/addresses/email-address.ts";

/** An address anywhere in a text: alone, in brackets, or behind a word. */
export const ADDRESS = /[^\s<>()[\]:;,"'=@]{1,64}@[a-z0-9.-]{1,253}/i;

/** The address in a field such as `rfc822; <ada@example.com>`, in our stored form; none if it is not one. */
export function storedAddress(text: string): string[] {
  const address = text.slice(text.indexOf(";") + 1).replaceAll(/[<>"\s]/g, "");
  const parsed = parseEmailAddress(address);
  return parsed.ok ? [parsed.value] : [];
}
