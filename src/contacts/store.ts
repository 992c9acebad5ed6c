import type { Instant } from "#core/clock.ts";
import type { Result } from "#core/errors.ts";
import type { Page, PageRequest } from "#core/page.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { ConsentDecision, Standing } from "./consent.ts";
import type { ConsentOrigin, ConsentRecord } from "./consent-entry.ts";
import type { Contact } from "./contact.ts";
import type { ContactFilter } from "./contact-filter.ts";
import type { ContactWrite, FoundContact } from "./contact-write.ts";
import type { Membership } from "./membership.ts";

export type OptOut = {
  readonly workspaceId: string;
  /** The address that was mailed, in its stored form. */
  readonly address: string;
  /** Who was mailed; they may be gone or have another address by now. */
  readonly contactId: string | null;
  readonly origin: ConsentOrigin;
  readonly at: Instant;
};

/** An address to write, and what a new row of it gets. */
export type Upsert = {
  readonly email: string;
  readonly fresh: { readonly id: string; readonly createdAt: Instant };
};

export type Upserted = { readonly contact: Contact; readonly created: boolean };

/** Contacts and the consent log. Every method is one transaction; the rules it takes are pure and synchronous. */
export type ContactStore = {
  find(workspaceId: string, id: string): Promise<Contact | null>;
  /** Newest first. Without `q` it costs the same whatever the number of contacts. */
  page(workspaceId: string, filter: ContactFilter, request: PageRequest): Promise<Page<Contact>>;
  /** The contact's lists, the newest list first. Null: no such contact. */
  lists(workspaceId: string, id: string): Promise<Membership[] | null>;

  /** Writes what `decide` makes of the address; `fresh` is what a new row gets. */
  upsert(
    workspaceId: string,
    email: string,
    fresh: { readonly id: string; readonly createdAt: Instant },
    decide: (found: FoundContact) => ContactWrite,
  ): Promise<Upserted>;

  /**
   * `upsert` for many in one transaction, in their order: of two with one address the second finds what the first wrote. Whoever of
   * them may join the list named does. Null, and nothing written: no such list.
   */
  upsertAll<T extends Upsert>(
    workspaceId: string,
    people: readonly T[],
    joining: { readonly listId: string; readonly at: Instant } | null,
    decide: (person: T, found: FoundContact) => ContactWrite,
  ): Promise<Upserted[] | null>;

  /** Null: no such contact. Refused with CONFLICT, and nothing written, where another contact has the new address. */
  change(
    workspaceId: string,
    id: string,
    decide: (current: Contact) => ContactWrite,
  ): Promise<Result<Contact> | null>;

  /**
   * Deletes a contact with its memberships, after suppressing its address for the reason `suppressionOf` gives; neither
   * happens without the other. Delivery records stay, without the person. False: no such contact.
   */
  delete(
    workspaceId: string,
    id: string,
    suppressionOf: (contact: Contact) => SuppressionReason | null,
    at: Instant,
  ): Promise<boolean>;

  /**
   * A public unsubscribe: opts out whoever was mailed and whoever holds the address now, and suppresses the address also
   * where nobody is left. True when a withdrawal was logged: false for the second click.
   */
  optOut(
    optOut: OptOut,
    decide: (input: { current: Standing; suppression: SuppressionReason | null }) => ConsentDecision,
  ): Promise<boolean>;

  /** The consent log, newest first; a page without its total. */
  consentLog(
    workspaceId: string,
    request: PageRequest,
  ): Promise<{ items: ConsentRecord[]; nextPosition: number | null }>;
};
