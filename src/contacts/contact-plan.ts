import { NO_ATTRIBUTES, type Attributes } from "#attributes/attribute.ts";
import type { AttributeChange } from "#attributes/attribute-input.ts";
import { mergeAttributes, type AttributeHolders } from "#attributes/merge.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { applyPatch } from "#core/request/patch.ts";
import type { Trigger } from "#core/trigger.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { DecisionSource } from "#core/decision-source.ts";
import { decideOnPatch, decideOnPost, type ConsentDecision } from "#contacts/consent/consent.ts";
import type { ConsentOrigin, ConsentToLog } from "#contacts/consent/consent-entry.ts";
import type { Contact } from "./contact.ts";
import type { ContactChange, NewContact } from "./contact-input.ts";

/** What one request writes, in one transaction. */
export type ContactWrite = {
  /** The contact's fields after the write. */
  readonly contact: Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "status" | "attributes">;
  /** Suppressions to add. An existing entry keeps the stronger reason. */
  readonly suppress: {
    readonly addresses: readonly string[];
    readonly reason: SuppressionReason;
    readonly source: DecisionSource;
  } | null;
  readonly leaveLists: boolean;
  /** Confirmation links that were sent to these addresses become void. */
  readonly voidLinksOf: readonly string[];
  readonly consentEntry: ConsentToLog | null;
  /** Triggers that may start automations. */
  readonly triggers: readonly Trigger[];
  readonly at: Instant;
};

/** What a POST finds for its address. */
export type FoundContact = {
  readonly contact: Contact | null;
  /** Counts only if the contact `standsByAddress`; otherwise it need not be looked up. */
  readonly suppression: SuppressionReason | null;
  /** Counts only if the request sets attributes; otherwise it may be empty. */
  readonly attributeHolders: AttributeHolders;
};

/** What a PATCH finds. */
export type FoundForChange = Pick<FoundContact, "attributeHolders"> & { readonly contact: Contact };

/**
 * POST /contacts: an empty name leaves an existing contact's name as it is; tags always replace; attributes
 * are merged (docs/contract.md "Contacts"). Refused if the merged attributes go beyond a limit.
 */
export function planPost(
  found: FoundContact,
  input: NewContact,
  origin: ConsentOrigin,
  at: Instant,
): Result<ContactWrite> {
  const { contact, suppression } = found;
  const { status, consent, email, tags } = input;
  const attributes = merged(contact, input.attributes, found.attributeHolders);
  if (!attributes.ok) return attributes;
  const decision = decideOnPost({ current: contact?.status ?? null, suppression, status, consent });
  const firstName = input.firstName ?? contact?.firstName ?? "";
  const lastName = input.lastName ?? contact?.lastName ?? "";
  const fields = { email, firstName, lastName, tags, attributes: attributes.value };
  return accept(writeOf(fields, decision, { origin, at, tagsBefore: contact?.tags ?? [] }));
}

/**
 * PATCH /contacts/{id}: changes only the fields that were sent. A request that changes the address and opts
 * out at once suppresses the old address too (docs/decisions.md "Contacts and consent"). A new address voids
 * the confirmation links of both addresses: the link was mailed to a person who need not be this contact.
 * Refused if the merged attributes go beyond a limit.
 */
export function planPatch(
  { contact: current, attributeHolders }: FoundForChange,
  change: ContactChange,
  origin: ConsentOrigin,
  at: Instant,
): Result<ContactWrite> {
  const { status, consent } = change;
  const attributes = merged(current, change.attributes, attributeHolders);
  if (!attributes.ok) return attributes;
  const decision = decideOnPatch({ current: current.status, status, consent });
  const email = change.email ?? current.email;
  const fields = {
    email,
    firstName: applyPatch(current.firstName, change.firstName, ""),
    lastName: applyPatch(current.lastName, change.lastName, ""),
    tags: change.tags ?? current.tags,
    attributes: attributes.value,
  };
  const addresses = email === current.email ? [email] : [current.email, email];
  return accept(writeOf(fields, decision, { origin, at, addresses, tagsBefore: current.tags }));
}

const merged = (
  contact: Contact | null,
  change: AttributeChange | undefined,
  holders: AttributeHolders,
): Result<Attributes> => {
  const current = contact?.attributes ?? NO_ATTRIBUTES;
  return change === undefined ? accept(current) : mergeAttributes(current, change, holders);
};

/**
 * An event names an address that has no contact. The new contact is PENDING, whatever happened to the address
 * before (docs/contract.md "Consent model"). A POST looks at the suppression again, so an opt-out is not lost.
 */
export const planEventContact = (email: string, at: Instant): ContactWrite =>
  fieldsOnly(
    { email, firstName: "", lastName: "", tags: [], status: "PENDING", attributes: NO_ATTRIBUTES },
    at,
  );

/** A write that changes fields and has no other consequence. */
export function fieldsOnly(contact: ContactWrite["contact"], at: Instant): ContactWrite {
  return {
    contact,
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

type Decided = {
  readonly origin: ConsentOrigin;
  readonly at: Instant;
  /** The addresses that the decision is for; missing: the contact's own. */
  readonly addresses?: readonly string[];
  /** Missing: the write changes no tags. */
  readonly tagsBefore?: readonly string[];
};

/** A write that also carries out a decision about consent. */
export function writeOf(
  contact: Omit<ContactWrite["contact"], "status">,
  decision: ConsentDecision,
  { origin, at, addresses = [contact.email], tagsBefore = contact.tags }: Decided,
): ContactWrite {
  return {
    contact: { ...contact, status: decision.status },
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
function triggersOf(
  { becameSubscribed }: ConsentDecision,
  tagsBefore: readonly string[],
  tags: readonly string[],
): Trigger[] {
  const triggers: Trigger[] = becameSubscribed ? [{ kind: "new_subscriber" }] : [];
  for (const tag of tags) if (!tagsBefore.includes(tag)) triggers.push({ kind: "tag_added", tag });
  return triggers;
}
