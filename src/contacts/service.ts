import type { Clock, Instant } from "#core/time/clock.ts";
import { notFound, unwrap } from "#core/errors/errors.ts";
import { withoutRetry } from "#core/errors/storage-error.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import type { ConsentOrigin, ConsentRecord } from "#contacts/consent/consent-entry.ts";
import { EVERY_CONSENT, type ConsentFilter } from "#contacts/consent/consent-filter.ts";
import type { Contact } from "./contact.ts";
import type { ContactFilter } from "./contact-filter.ts";
import type { ContactChange, NewContact } from "./contact-input.ts";
import { planPatch, planPost, suppressionOnDelete } from "./contact-plan.ts";
import type { Membership } from "./membership.ts";
import type { ContactStore, OptOut, Upserted } from "./store.ts";
import { chooseTags, TAGS_LOOKED_AT, TAGS_SHOWN, type TagUse } from "./tag-uses.ts";

const CONSENT_PAGE = 1000;

type Parts = { readonly contacts: ContactStore; readonly clock: Clock; readonly newId: NewId };

export type ContactService = ReturnType<typeof contactService>;

/** Every method that names a contact throws AppError NOT_FOUND if the workspace has no such contact. */
export function contactService(parts: Parts) {
  const { contacts, clock, newId } = parts;

  return {
    page: (workspaceId: string, filter: ContactFilter, request: PageRequest): Promise<Page<Contact>> =>
      contacts.page(workspaceId, filter, request),

    /** See `ContactStore.lastOpens`. */
    lastOpens: (workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> =>
      contacts.lastOpens(workspaceId, ids),

    find: async (workspaceId: string, id: string): Promise<Contact> =>
      (await contacts.find(workspaceId, id)) ?? gone(id),

    /**
     * Tags in use with `q` in them, the most used first. Of more than are looked at, the first by name and those that
     * begin with `q`.
     */
    async tags(workspaceId: string, q: string): Promise<TagUse[]> {
      const first = await contacts.tagUses(workspaceId, "", TAGS_LOOKED_AT);
      const next = q === "" ? [] : await contacts.tagUses(workspaceId, q, TAGS_SHOWN);
      return chooseTags([...first, ...next], q);
    },

    lists: async (workspaceId: string, id: string): Promise<Membership[]> =>
      (await contacts.lists(workspaceId, id)) ?? gone(id),

    /**
     * Creates the contact of an address, or changes the contact that has it (docs/contract.md "Contacts").
     */
    async upsert(workspaceId: string, input: NewContact, origin: ConsentOrigin): Promise<Upserted> {
      const now = clock.now();
      const { email, attributes } = input;
      const fresh = { id: newId("ct"), createdAt: now };
      const person = { email, fresh, setsAttributes: attributes !== undefined };
      return unwrap(
        await contacts.upsert(workspaceId, person, (found) => planPost(found, input, origin, now)),
      );
    },

    /**
     * @throws AppError CONFLICT if another contact of the workspace has the new address, VALIDATION_ERROR if
     * the merged attributes go beyond a limit
     */
    async change(
      workspaceId: string,
      id: string,
      change: ContactChange,
      origin: ConsentOrigin,
    ): Promise<Contact> {
      const now = clock.now();
      const asked = { setsAttributes: change.attributes !== undefined };
      const changed = await contacts.change(workspaceId, id, asked, (found) =>
        planPatch(found, change, origin, now),
      );
      return changed === null ? gone(id) : unwrap(changed);
    },

    /**
     * First suppresses the address of an opted-out or bounced contact. If that fails, nothing is deleted, and it is an
     * `INTERNAL_ERROR` whatever the reason (docs/contract.md "Contact status").
     */
    async delete(workspaceId: string, id: string): Promise<void> {
      const deleting = contacts.delete(workspaceId, id, suppressionOnDelete, clock.now());
      if (!(await deleting.catch(withoutRetry))) gone(id);
    },

    /** A public unsubscribe; see `ContactStore.optOut`. A second one changes and logs nothing more. */
    optOut: (optOut: Omit<OptOut, "at">): Promise<boolean> =>
      contacts.optOut({ ...optOut, at: clock.now() }, decideOnOptOut),

    /** The consent log, newest first. */
    consentPage: (
      workspaceId: string,
      filter: ConsentFilter,
      request: PageRequest,
    ): Promise<Page<ConsentRecord>> => contacts.consentLog(workspaceId, filter, request),

    /** All of the consent log, newest first, read in pieces. Entries written meanwhile do not appear. */
    consentLog: (workspaceId: string): AsyncGenerator<ConsentRecord> => consentPieces(contacts, workspaceId),
  };
}

async function* consentPieces(contacts: ContactStore, workspaceId: string): AsyncGenerator<ConsentRecord> {
  let before: number | null = null;
  do {
    const request: PageRequest = { limit: CONSENT_PAGE, before };
    const page: Page<ConsentRecord> = await contacts.consentLog(workspaceId, EVERY_CONSENT, request);
    yield* page.items;
    before = page.nextPosition;
  } while (before !== null);
}

function gone(id: string): never {
  throw notFound(`The contact ${id}`);
}
