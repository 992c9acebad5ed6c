import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { fieldsOnly, writeOf, type ContactWrite } from "#contacts/contact-plan.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import { changedContact } from "./changed-contact.ts";
import type { ContactChange } from "./step-outcome.ts";

/** There is no request: the person who made the flow decided it. */
export const BY_AUTOMATION = { source: "admin", formId: null, clientAddress: null, userAgent: null } as const;

/** Changes of the contact's own row, listed one by one: for a new kind, the compiler asks where it is written. */
type RowChange = Extract<
  ContactChange,
  { readonly kind: "addTag" | "removeTag" | "setField" | "setAttribute" | "unsubscribe" }
>;

/**
 * What a step's change writes to its contact, except the trigger of a tag, which belongs to the run. An opt-out is
 * handled and logged like any other. Of somebody who is out already links become void, and nothing is logged.
 */
export function contactWriteOf(change: RowChange, contact: Contact, at: Instant): ContactWrite {
  const after = changedContact(contact, change);
  if (after !== null) return fieldsOnly(after, at);
  const decision = decideOnOptOut({ current: contact.status, suppression: null, hasWithdrawn: true });
  return writeOf(contact, decision, { origin: BY_AUTOMATION, at });
}
