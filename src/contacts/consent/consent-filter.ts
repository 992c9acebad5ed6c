import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, type Result } from "#core/errors/errors.ts";

/** Which entries of the consent log a page shows; null: all. */
export type ConsentFilter = {
  /** The address at the time of the entry, in its stored form. */
  readonly email: string | null;
  readonly contactId: string | null;
};

export const EVERY_CONSENT: ConsentFilter = { email: null, contactId: null };

/** An `email` that is no address is refused: it would find nobody, and look as if there were no entry. */
export function parseConsentFilter(query: {
  readonly email: string | undefined;
  readonly contactId: string | undefined;
}): Result<ConsentFilter> {
  const contactId = query.contactId || null;
  if (!query.email) return accept({ email: null, contactId });
  const email = parseEmailAddress(query.email);
  return email.ok ? accept({ email: email.value, contactId }) : email;
}
