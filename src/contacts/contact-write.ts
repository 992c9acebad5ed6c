import type { Instant } from "#core/clock.ts";
import { applyPatch } from "#core/patch.ts";
import type { Trigger } from "#core/trigger.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import { decideOnPatch, decideOnPost, type ConsentDecision } from "./consent.ts";
import type { ConsentEntry, ConsentOrigin } from "./consent-entry.ts";
import type { Contact } from "./contact.ts";
import type { ContactChange, NewContact } from "./contact-input.ts";

/** What one request writes, all of it in one transaction. */
export type ContactWrite = {
  /** The contact's fields afterwards. */
  readonly contact: Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "status">;
  /** To add; an entry that is there keeps the stronger reason. */
  readonly suppress: { readonly addresses: readonly string[]; readonly reason: SuppressionReason } | null;
  readonly leaveLists: boolean;
  /** Confirmation links sent to these addresses before lose their force. */
  readonly voidLinksOf: readonly string[];
  readonly consentEntry: ConsentEntry | null;
  /** What automations may start from. */
  readonly triggers: readonly Trigger[];
  readonly at: Instant;
};

/** What a POST finds under its address. */
export type FoundContact = {
  readonly contact: Contact | null;
  /** Where there is a contact, it counts for nothing, and need not be looked for. */
  readonly suppression: SuppressionReason | null;
};

/**
 * POST /contacts: empty names leave an existing contact's as they are, tags always replace (docs/contract.md
 * "Contacts").
 */
export function planPost(
  found: FoundContact,
  input: NewContact,
  origin: ConsentOrigin,
  at: Instant,
): ContactWrite {
  const { contact, suppression } = found;
  const { status, consent, email, tags } = input;
  const decision = decideOnPost({ current: contact?.status ?? null, suppression, status, consent });
  const firstName = input.firstName ?? contact?.firstName ?? "";
  const lastName = input.lastName ?? contact?.lastName ?? "";
  return writeOf(
    { email, firstName, lastName, tags, status: decision.status },
    [email],
    decision,
    contact?.tags ?? [],
    origin,
    at,
  );
}

/**
 * PATCH /contacts/{id}: only the fields that were sent. One that changes the address and opts out at once suppresses the
 * old address too (docs/decisions.md "Contacts and consent"). A new address voids the confirmation links of
 * both: whoever confirms was mailed as somebody else.
 */
export function planPatch(
  current: Contact,
  change: ContactChange,
  origin: ConsentOrigin,
  at: Instant,
): ContactWrite {
  const { status, consent } = change;
  const decision = decideOnPatch({ current: current.status, status, consent });
  const email = change.email ?? current.email;
  const fields = {
    email,
    firstName: applyPatch(current.firstName, change.firstName, ""),
    lastName: applyPatch(current.lastName, change.lastName, ""),
    tags: change.tags ?? current.tags,
    status: decision.status,
  };
  const addresses = email === current.email ? [email] : [current.email, email];
  return writeOf(fields, addresses, decision, current.tags, origin, at);
}

/**
 * Whoever an event names for the first time: PENDING, whatever happened to the address before
 * (docs/contract.md "Consent model").
 */
export function planEventContact(email: string, at: Instant): ContactWrite {
  return {
    contact: { email, firstName: "", lastName: "", tags: [], status: "PENDING" },
    suppress: null,
    leaveLists: false,
    voidLinksOf: [],
    consentEntry: null,
    triggers: [],
    at,
  };
}

/**
 * What a deletion leaves behind, so that the person is not mailed when they are created again
 * (docs/contract.md "Contact status").
 */
export function suppressionOnDelete(contact: Contact): SuppressionReason | null {
  if (contact.status === "UNSUBSCRIBED") return "UNSUBSCRIBED";
  return contact.status === "BOUNCED" ? "HARD_BOUNCE" : null;
}

function writeOf(
  contact: ContactWrite["contact"],
  addresses: readonly string[],
  decision: ConsentDecision,
  tagsBefore: readonly string[],
  origin: ConsentOrigin,
  at: Instant,
): ContactWrite {
  return {
    contact,
    suppress: decision.suppress === null ? null : { addresses, reason: decision.suppress },
    leaveLists: decision.leaveLists,
    voidLinksOf: decision.voidsLinks || addresses.length > 1 ? addresses : [],
    consentEntry: decision.consentEntry === null ? null : { ...origin, action: decision.consentEntry, at },
    triggers: triggersOf(decision, tagsBefore, contact.tags),
    at,
  };
}

/** Becoming SUBSCRIBED, then every tag that was not there before (docs/decisions.md "Contacts and consent"). */
export function triggersOf(
  { becameSubscribed }: ConsentDecision,
  tagsBefore: readonly string[],
  tags: readonly string[],
): Trigger[] {
  const gained = tags.filter((tag) => !tagsBefore.includes(tag));
  return [
    ...(becameSubscribed ? [{ kind: "new_subscriber" } as const] : []),
    ...gained.map((tag) => ({ kind: "tag_added", tag }) as const),
  ];
}
