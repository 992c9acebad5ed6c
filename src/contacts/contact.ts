import type { Attributes } from "#attributes/attribute.ts";
import type { Instant } from "#core/time/clock.ts";

export const CONTACT_STATUSES = ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"] as const;

/**
 * Whether a person may be mailed. Only SUBSCRIBED people get campaigns. `consent/consent.ts` holds the arrows
 * between the states.
 */
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** Who opted out, or cannot be reached. Only an arrow of `consent/consent.ts` brings them back. */
export const isOut = (status: ContactStatus): boolean => status === "UNSUBSCRIBED" || status === "BOUNCED";

/** What the person decided, according to the request. */
export type Consent = "explicit" | "declined";

/**
 * A person to email. `email` is in its stored form (`#core/addresses/email-address.ts`) and unique in the workspace;
 * names are `""` when unknown.
 */
export type Contact = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly tags: readonly string[];
  readonly status: ContactStatus;
  /** What the workspace knows beyond the fields above; often nothing. */
  readonly attributes: Attributes;
  readonly createdAt: Instant;
};

/** Whether `text` is one of the four statuses, in exactly this spelling. */
export function isContactStatus(text: unknown): text is ContactStatus {
  return CONTACT_STATUSES.some((status) => status === text);
}
