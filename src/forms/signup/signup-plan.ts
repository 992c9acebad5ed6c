import type { Instant } from "#core/time/clock.ts";
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { ConsentDecision } from "#contacts/consent/consent.ts";
import { NO_ATTRIBUTES, type Attributes } from "#attributes/attribute.ts";
import { mergeAttributes } from "#attributes/merge.ts";
import { writeOf, type ContactWrite, type FoundContact } from "#contacts/contact-plan.ts";
import { decideOnConfirmation, decideOnFormSubmit } from "#contacts/consent/signup.ts";
import {
  linkState,
  mayConfirm,
  type LinkState,
  type LinkTimes,
  type RecentConfirmations,
} from "./confirmation.ts";
import type { Submission } from "./submission.ts";

/** What a submission finds for its address. */
export type FoundSignup = FoundContact & {
  readonly domainBlocked: boolean;
  readonly recent: RecentConfirmations;
};

/** What a submission does: see `decideOnFormSubmit`. With `joined` the contact also joins the form's list. */
export type SignupPlan =
  | { readonly kind: "domainBlocked" | "bounced" | "leftAlone" }
  | { readonly kind: "mayReturn"; readonly sendConfirmation: boolean }
  | { readonly kind: "joined"; readonly write: ContactWrite; readonly sendConfirmation: boolean };

const ACCEPTED = ["joined", "leftAlone", "mayReturn"] as const;

/** Whether the person is thanked. Everybody else is told why not, and webhooks are told nothing of them. */
export const isAccepted = (kind: string): kind is (typeof ACCEPTED)[number] =>
  ACCEPTED.some((accepted) => accepted === kind);

type SignupInput = {
  readonly submission: Submission;
  readonly doubleOptIn: boolean;
  readonly origin: ConsentOrigin;
  readonly at: Instant;
};

/**
 * A form submission (docs/decisions.md "Public pages"). Names and attributes that were given are stored, but never
 * cleared; tags stay as they are. If a confirmation is due but the caps are reached, the person still becomes
 * PENDING and gets no further mail. If the person had left, nothing changes before they confirm, not even names or
 * attributes: anybody could have typed the address.
 */
export function planSignup(found: FoundSignup, input: SignupInput): SignupPlan {
  if (found.domainBlocked) return { kind: "domainBlocked" };
  const { contact, suppression } = found;
  const { submission, doubleOptIn, origin, at } = input;
  const decided = decideOnFormSubmit({ current: contact?.status ?? null, suppression, doubleOptIn });
  if (decided.kind === "mayReturn") return { ...decided, sendConfirmation: mayConfirm(found.recent) };
  if (decided.kind !== "joined") return decided;
  const fields = {
    email: submission.email,
    firstName: submission.firstName ?? contact?.firstName ?? "",
    lastName: submission.lastName ?? contact?.lastName ?? "",
    tags: contact?.tags ?? [],
    attributes: filledIn(found, submission),
  };
  return {
    kind: "joined",
    write: writeOf(fields, decided.decision, { origin, at }),
    sendConfirmation: decided.needsConfirmation && mayConfirm(found.recent),
  };
}

/**
 * The submission's attributes, added to those that the contact has. If they do not fit (a limit of the contact or
 * of the workspace), none is stored, but the sign-up still counts: the person can do nothing about it.
 */
function filledIn({ contact, attributeHolders }: FoundSignup, { attributes }: Submission): Attributes {
  const current = contact?.attributes ?? NO_ATTRIBUTES;
  const merged = mergeAttributes(current, attributes, attributeHolders);
  return merged.ok ? merged.value : current;
}

/** What a confirmation's link finds. The contact is the one that has the mailed address now. */
export type FoundConfirmation = Pick<FoundContact, "contact" | "suppression"> &
  LinkTimes & {
    readonly address: string;
    /** The person had left when they signed up. Nothing was written then; confirming brings them back. */
    readonly returns: boolean;
  };

/**
 * The state of the person behind a link. `confirmed`: subscribed, by this link or in another way.
 * `raisesNobody`: they opted out, bounced or were deleted since.
 */
export type ConfirmationState = Exclude<LinkState, "used" | "void"> | "confirmed" | "raisesNobody";

export function confirmationState(found: FoundConfirmation, now: Instant): ConfirmationState {
  const link = linkState(found, now);
  if (decisionOf(found) === null) return "raisesNobody";
  const isMailed = found.contact?.status === "SUBSCRIBED" && found.suppression === null;
  // An open link keeps its button: the press is logged, and who comes back by two forms joins the second one's list.
  if (isMailed && link !== "open") return "confirmed";
  if (link === "void") return "raisesNobody";
  return link === "used" ? "expired" : link;
}

/**
 * What the button does. `comesBack`: the suppression UNSUBSCRIBED is lifted, and the person joins the form's
 * list only now.
 */
export type ConfirmationPlan = { readonly write: ContactWrite; readonly comesBack: boolean };

/** The button. Null: the link has no effect any more; `confirmationState` says why. */
export function planConfirmation(
  found: FoundConfirmation,
  origin: ConsentOrigin,
  at: Instant,
): ConfirmationPlan | null {
  const decision = decisionOf(found);
  if (decision === null || linkState(found, at) !== "open") return null;
  const contact = found.contact ?? {
    email: found.address,
    firstName: "",
    lastName: "",
    tags: [],
    attributes: NO_ATTRIBUTES,
  };
  const write = writeOf(contact, decision, { origin, at });
  return { write, comesBack: found.returns };
}

const decisionOf = ({ contact, suppression, returns }: FoundConfirmation): ConsentDecision | null =>
  decideOnConfirmation({ current: contact?.status ?? null, suppression, returns });
