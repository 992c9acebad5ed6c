import type { Instant } from "#core/clock.ts";
import { applyPatch } from "#core/patch.ts";
import type { Trigger } from "#core/trigger.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { SuppressionSource } from "#suppression/source.ts";
import { decideOnPatch, decideOnPost, type ConsentDecision } from "./consent.ts";
import type { ConsentEntry, ConsentOrigin } from "./consent-entry.ts";
import type { Contact } from "./contact.ts";
import type { ContactChange, NewContact } from "./contact-input.ts";

/** What one request writes, in one transaction. */
export type ContactWrite = {
  /** The contact's fields after the write. */
  readonly contact: Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "status">;
  /** Suppressions to add. An existing entry keeps the stronger reason. */
  readonly suppress: {
    readonly addresses: readonly string[];
    readonly reason: SuppressionReason;
    readonly source: SuppressionSource;
  } | null;
  readonly leaveLists: boolean;
  /** Confirmation links that were sent to these addresses become void. */
  readonly voidLinksOf: readonly string[];
  readonly consentEntry: ConsentEntry | null;
  /** Triggers that may start automations. */
  readonly triggers: readonly Trigger[];
  readonly at: Instant;
};

/** What a POST finds for its address. */
export type FoundContact = {
  readonly contact: Contact | null;
  /** Counts only if there is no contact; otherwise it need not be looked up. */
  readonly suppression: SuppressionReason | null;
};

/**
 * POST /contacts: an empty name leaves an existing contact's name as it is; tags always replace
 * (docs/contract.md "Contacts").
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
 * PATCH /contacts/{id}: changes only the fields that were sent. A request that changes the address and opts
 * out at once suppresses the old address too (docs/decisions.md "Contacts and consent"). A new address voids
 * the confirmation links of both addresses: the link was mailed to a person who need not be this contact.
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
 * An event names an address that has no contact. The new contact is PENDING, whatever happened to the address
 * before (docs/contract.md "Consent model").
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
 * The suppression to add when a contact is deleted, so that the person is not mailed if they are created
 * again (docs/contract.md "Contact status").
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
    suppress:
      decision.suppress === null ? null : { addresses, reason: decision.suppress, source: origin.source },
    leaveLists: decision.leaveLists,
    voidLinksOf: decision.voidsLinks || addresses.length > 1 ? addresses : [],
    consentEntry: decision.consentEntry === null ? null : { ...origin, action: decision.consentEntry, at },
    triggers: triggersOf(decision, tagsBefore, contact.tags),
    at,
  };
}

/** Becoming SUBSCRIBED first, then every new tag (docs/decisions.md "Contacts and consent"). */
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
