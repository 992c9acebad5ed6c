import type { Clock } from "#core/time/clock.ts";
import { notFound, unwrap, type Refusal } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { List, ListContent } from "./list.ts";
import { missingIds, missingIdsMessage } from "./list-input.ts";
import type { ListOptions } from "./options.ts";
import { changeListOptions, type ListOptionsChange } from "./options-input.ts";
import type { ListStore } from "./store.ts";

export type ListService = ReturnType<typeof listService>;

/** Every method that names a list throws AppError NOT_FOUND if the workspace has no such list. */
export function listService(parts: { lists: ListStore; clock: Clock; newId: NewId }) {
  const { lists, clock, newId } = parts;

  return {
    create: (workspaceId: string, content: ListContent): Promise<List> =>
      lists.insert(workspaceId, { ...content, id: newId("list"), createdAt: clock.now() }),

    find: async (workspaceId: string, id: string): Promise<List> =>
      (await lists.find(workspaceId, id)) ?? gone(id),

    page: (workspaceId: string, q: string | null, request: PageRequest): Promise<Page<List>> =>
      lists.page(workspaceId, q, request),

    change: async (workspaceId: string, id: string, content: ListContent): Promise<List> =>
      (await lists.change(workspaceId, id, () => content)) ?? gone(id),

    /** What readers see of it. */
    options: async (workspaceId: string, id: string): Promise<ListOptions> =>
      (await lists.options(workspaceId, id)) ?? gone(id),

    /** Whether readers have anything to choose. */
    hasPublic: (workspaceId: string): Promise<boolean> => lists.hasPublic(workspaceId),

    /** @throws AppError VALIDATION_ERROR if there are too many public lists */
    async changeOptions(workspaceId: string, id: string, change: ListOptionsChange): Promise<ListOptions> {
      const changed = await lists.changeOptions(workspaceId, id, (current, publicLists) =>
        changeListOptions(current, change, publicLists),
      );
      return changed === null ? gone(id) : unwrap(changed);
    },

    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await lists.delete(workspaceId, id))) gone(id);
    },

    contacts: async (
      workspaceId: string,
      id: string,
      filter: Omit<ContactFilter, "tag">,
      request: PageRequest,
    ): Promise<Page<Contact>> => (await lists.contacts(workspaceId, id, filter, request)) ?? gone(id),

    /** @throws AppError NOT_FOUND naming the ids that are unknown or repeated; then nobody is added */
    async addContacts(
      workspaceId: string,
      id: string,
      contactIds: readonly string[],
    ): Promise<{ added: number; skipped: number }> {
      const check = (known: ReadonlySet<string>): Refusal | null => {
        const missing = missingIds(contactIds, known);
        return missing.length === 0 ? null : { code: "NOT_FOUND", message: missingIdsMessage(missing) };
      };
      const result = await lists.addContacts(workspaceId, id, contactIds, check, clock.now());
      return result === null ? gone(id) : unwrap(result);
    },

    /** @throws AppError NOT_FOUND also for a contact that is not in the workspace */
    async removeContact(workspaceId: string, id: string, contactId: string): Promise<void> {
      const outcome = await lists.removeContact(workspaceId, id, contactId, clock.now());
      if (outcome === "no list") gone(id);
      if (outcome === "no contact") throw notFound(`The contact ${contactId}`);
    },
  };
}

function gone(id: string): never {
  throw notFound(`The list ${id}`);
}
