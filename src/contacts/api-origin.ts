import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import { askerOf, type Asked } from "#core/request/asker.ts";
import type { Consent } from "./contact.ts";

/** Who made a request of the API, for the consent log. */
export function originOf(asked: Asked): ConsentOrigin {
  const { clientAddress, userAgent } = askerOf(asked);
  return { source: "api", formId: null, clientAddress: clientAddress || null, userAgent };
}

const UNASKED: ConsentOrigin = { source: "api", formId: null, clientAddress: null, userAgent: null };

/**
 * The same for one contact. Only what the person said themselves is logged (`consent/consent.ts`). Other requests
 * skip the look-up of the client's address, because it takes as long as finding the contact.
 */
export const originOfOne = (asked: Asked, consent: Consent | undefined): ConsentOrigin =>
  consent === undefined ? UNASKED : originOf(asked);
