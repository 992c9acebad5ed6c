import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { ConsentDecision, LeavingReader } from "#contacts/consent/consent.ts";
import type { ConsentOrigin, ConsentRecord } from "#contacts/consent/consent-entry.ts";
import type { ConsentFilter } from "#contacts/consent/consent-filter.ts";
import type { Contact } from "./contact.ts";
import type { ContactFilter } from "./contact-filter.ts";
import type { ContactWrite, FoundContact, FoundForChange } from "./contact-plan.ts";
import type { Membership } from "./membership.ts";
import type { TagUse } from "./tag-uses.ts";

export type OptOut = {
  readonly workspaceId: string;
  /** The address that was mailed, in its stored form. */
  readonly address: string;
  /** The person who was mailed. They may be deleted or have another address by now. */
  readonly contactId: string | null;
  readonly origin: ConsentOrigin;
  readonly at: Instant;
};

/** An address to write, and the values for a new row. */
export type Upsert = SetsAttributes & {
  readonly email: string;
  readonly fresh: { readonly id: string; readonly createdAt: Instant };
};

/** Whether the rule uses `attributeHolders`: they are looked up only then. */
type SetsAttributes = { readonly setsAttributes: boolean };

export type Upserted = { readonly contact: Contact; readonly created: boolean };

export type DecideUpsert = (found: FoundContact) => Result<ContactWrite>;

/**
 * Contacts and the consent log. Every method but `upsertAll` is one transaction. The rules it takes are pure and
 * synchronous, and may be called again: if a row was changed meanwhile, the store loads it and calls the rule once
 * more.
 */
export type ContactStore = {
  find(workspaceId: string, id: string): Promise<Contact | null>;
  /** Newest first. Without `q` the cost does not depend on the number of contacts. */
  page(workspaceId: string, filter: ContactFilter, request: PageRequest): Promise<Page<Contact>>;
  /**
   * When each of these last opened a campaign, by id; nothing for who opened none. The meaning is that of the condition
   * `opened` of segments. The cost is that of the mail they got.
   */
  lastOpens(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  /**
   * Tags that contacts have, by name, beginning with `from` or the next one; no more than `most`, and fewer where many
   * are not used any more. The cost depends on `most` alone.
   */
  tagUses(workspaceId: string, from: string, most: number): Promise<TagUse[]>;
  /** The contact's lists, newest list first. Null: no such contact. */
  lists(workspaceId: string, id: string): Promise<Membership[] | null>;

  /** Writes what `decide` returns for the address; nothing if it refuses. */
  upsert(workspaceId: string, person: Upsert, decide: DecideUpsert): Promise<Result<Upserted>>;

  /**
   * How many rows webhooks add at most to the write of a contact: with 50 webhooks as many as a hundred. 0 where a long
   * write holds up nobody.
   */
  rowsForWebhooks(workspaceId: string): Promise<number>;

  /**
   * `upsert` for many, in the order given, one transaction a slice: if two have one address, the second finds what
   * the first wrote, and who comes later is the newer contact. A refusal is one person's: the others are written.
   * Those who may join the named list are added to it. Null for a slice: no such list, and nothing of it was written.
   * A slice that fails is not written, and stops no other.
   */
  upsertAll<T extends Upsert>(
    workspaceId: string,
    slices: readonly (readonly T[])[],
    joining: { readonly listId: string; readonly at: Instant } | null,
    decide: (person: T, found: FoundContact) => Result<ContactWrite>,
  ): Promise<PromiseSettledResult<Result<Upserted>[] | null>[]>;

  /**
   * Null: no such contact. Refused if `decide` refuses, and with CONFLICT if another contact has the new
   * address; then nothing was written.
   */
  change(
    workspaceId: string,
    id: string,
    asked: SetsAttributes,
    decide: (found: FoundForChange) => Result<ContactWrite>,
  ): Promise<Result<Contact> | null>;

  /**
   * Deletes a contact with its memberships, after suppressing its address for the reason that `suppressionOf`
   * gives. Both happen or neither. Delivery records stay, without the person. False: no such contact.
   */
  delete(
    workspaceId: string,
    id: string,
    suppressionOf: (contact: Contact) => SuppressionReason | null,
    at: Instant,
  ): Promise<boolean>;

  /**
   * A public unsubscribe. Opts out the person who was mailed and the person who has the address now.
   * Suppresses the address even if nobody has it any more. True if a withdrawal was logged; false for a
   * second click.
   */
  optOut(optOut: OptOut, decide: (input: LeavingReader) => ConsentDecision): Promise<boolean>;

  /** The consent log, newest first. */
  consentLog(workspaceId: string, filter: ConsentFilter, request: PageRequest): Promise<Page<ConsentRecord>>;
};
