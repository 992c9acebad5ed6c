import type { Instant } from "#core/clock.ts";

export const CONTACT_STATUSES = ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"] as const;

/** Whether a person may be mailed; only SUBSCRIBED ones get campaigns. `consent.ts` holds the arrows between them. */
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** What a request says the person themselves decided. */
export type Consent = "explicit" | "declined";

/** A person to email. `email` is in its stored form (`#core/email-address.ts`) and unique in the workspace; names are `""` when unknown. */
export type Contact = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly tags: readonly string[];
  readonly status: ContactStatus;
  readonly createdAt: Instant;
};

/** Whether `text` is one of the four statuses, spelled exactly so. */
export function isContactStatus(text: unknown): text is ContactStatus {
  return CONTACT_STATUSES.some((status) => status === text);
}
