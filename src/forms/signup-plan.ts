import type { Instant } from "#core/clock.ts";
import type { ConsentOrigin } from "#contacts/consent-entry.ts";
import type { ConsentDecision } from "#contacts/consent.ts";
import type { Contact } from "#contacts/contact.ts";
import { triggersOf, type ContactWrite, type FoundContact } from "#contacts/contact-write.ts";
import { decideOnConfirmation, decideOnFormSubmit } from "#contacts/signup.ts";
import { linkState, mayConfirm, type LinkState, type RecentConfirmations } from "./confirmation.ts";
import type { Submission } from "./submission.ts";

/** What a submission finds under its address. */
export type FoundSignup = FoundContact & {
  readonly domainBlocked: boolean;
  readonly recent: RecentConfirmations;
};

/** What a submission does: see `decideOnFormSubmit`. Joining the form's list goes with `joined`. */
export type SignupPlan =
  | { readonly kind: "domainBlocked" | "bounced" | "leftAlone" }
  | { readonly kind: "joined"; readonly write: ContactWrite; readonly sendConfirmation: boolean };

type SignupInput = {
  readonly submission: Submission;
  readonly doubleOptIn: boolean;
  readonly origin: ConsentOrigin;
  readonly at: Instant;
};

/**
 * A form submission (decisions, section 6). Names are filled in where given, never cleared; tags are left alone. Where a
 * confirmation is due but the caps are reached, the person is PENDING all the same and gets no further mail.
 */
export function planSignup(found: FoundSignup, input: SignupInput): SignupPlan {
  if (found.domainBlocked) return { kind: "domainBlocked" };
  const { contact, suppression } = found;
  const { submission, doubleOptIn, origin, at } = input;
  const decided = decideOnFormSubmit({ current: contact?.status ?? null, suppression, doubleOptIn });
  if (decided.kind !== "joined") return decided;
  const fields = {
    email: submission.email,
    firstName: submission.firstName ?? contact?.firstName ?? "",
    lastName: submission.lastName ?? contact?.lastName ?? "",
    tags: contact?.tags ?? [],
  };
  return {
    kind: "joined",
    write: writeOf(fields, decided.decision, origin, at),
    sendConfirmation: decided.needsConfirmation && mayConfirm(found.recent),
  };
}

/** What a confirmation's link finds. The contact is whoever holds the mailed address now. */
export type FoundConfirmation = FoundContact & {
  readonly createdAt: Instant;
  readonly confirmedAt: Instant | null;
};

/**
 * How the person behind a link stands. `confirmed`: subscribed, by this link or otherwise; `raisesNobody`: they opted out,
 * bounced or were deleted since.
 */
export type ConfirmationState = Exclude<LinkState, "used"> | "confirmed" | "raisesNobody";

export function confirmationState(found: FoundConfirmation, now: Instant): ConfirmationState {
  const state = linkState(found, now);
  if (decideOnConfirmation(found.contact?.status ?? null, found.suppression) === null) return "raisesNobody";
  if (found.contact?.status === "SUBSCRIBED") return "confirmed";
  return state === "used" ? "expired" : state;
}

/** The button. Null: the link does nothing any more, `confirmationState` says why. */
export function planConfirmation(
  found: FoundConfirmation,
  origin: ConsentOrigin,
  at: Instant,
): ContactWrite | null {
  const { contact } = found;
  if (contact === null || linkState(found, at) !== "open") return null;
  const decision = decideOnConfirmation(contact.status, found.suppression);
  return decision === null ? null : writeOf(contact, decision, origin, at);
}

function writeOf(
  contact: Pick<Contact, "email" | "firstName" | "lastName" | "tags">,
  decision: ConsentDecision,
  origin: ConsentOrigin,
  at: Instant,
): ContactWrite {
  const { email, firstName, lastName, tags } = contact;
  return {
    contact: { email, firstName, lastName, tags, status: decision.status },
    suppress: null,
    leaveLists: decision.leaveLists,
    consentEntry: decision.consentEntry === null ? null : { ...origin, action: decision.consentEntry, at },
    triggers: triggersOf(decision, tags, tags),
    at,
  };
}
