import type { Instant } from "#core/time/clock.ts";
import type { DecisionSource } from "#core/decision-source.ts";

export const CONSENT_ACTIONS = ["GIVEN", "WITHDRAWN"] as const;

/** Where a decision came from, as far as it is known. */
export type ConsentOrigin = {
  readonly source: DecisionSource;
  readonly formId: string | null;
  readonly clientAddress: string | null;
  readonly userAgent: string | null;
  /** The reason the person gave on the unsubscribe page. */
  readonly reason?: string | null;
};

/** An entry to write. */
export type ConsentEntry = ConsentOrigin & {
  /** The list that it is about; without one, it is about all marketing mail. */
  readonly listId?: string | null;
  readonly action: (typeof CONSENT_ACTIONS)[number];
  readonly at: Instant;
};

/**
 * An entry to write, maybe only if the log has none of this contact with the same address, action, source and
 * time: what a file says of the past, since a file may be imported again.
 */
export type ConsentToLog = ConsentEntry & { readonly isOnce?: boolean };

/**
 * An entry of the consent log. It stays when the contact is deleted. `contactId` is `""` if there never was a
 * contact.
 */
export type ConsentRecord = ConsentEntry & { readonly email: string; readonly contactId: string };

const BY_NOBODY = { formId: null, clientAddress: null, userAgent: null } as const;

/** A relay refused the address for ever, or a report of a server proved it. */
export const BY_BOUNCE = { source: "bounce", ...BY_NOBODY } as const satisfies ConsentOrigin;

/** The reader called a mail spam, and their provider reports it. */
export const BY_COMPLAINT = { source: "complaint", ...BY_NOBODY } as const satisfies ConsentOrigin;
