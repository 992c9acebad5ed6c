import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { Consent } from "./contact.ts";

const USER_AGENT_MAX = 512;

type Asked = {
  readonly request: { readonly headers: Pick<Headers, "get"> };
  readonly clientAddress: string;
};

/** Who made a request of the API, for the consent log. */
export function originOf({ request, clientAddress }: Asked): ConsentOrigin {
  const userAgent = request.headers.get("user-agent");
  return {
    source: "api",
    formId: null,
    clientAddress: clientAddress || null,
    userAgent: userAgent === null ? null : userAgent.slice(0, USER_AGENT_MAX),
  };
}

const UNASKED: ConsentOrigin = { source: "api", formId: null, clientAddress: null, userAgent: null };

/**
 * The same for one contact. Only what the person said themselves is logged (`consent/consent.ts`). Other requests
 * skip the look-up of the client's address, because it takes as long as finding the contact.
 */
export const originOfOne = (asked: Asked, consent: Consent | undefined): ConsentOrigin =>
  consent === undefined ? UNASKED : originOf(asked);
