import type { Instant } from "#core/time/clock.ts";
import type { Refusal, Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { List, ListContent } from "./list.ts";
import type { ListOptions } from "./options.ts";

/** Lists and their members. Every method is one transaction. */
export type ListStore = {
  insert(
    workspaceId: string,
    list: ListContent & { readonly id: string; readonly createdAt: Instant },
  ): Promise<List>;
  find(workspaceId: string, id: string): Promise<List | null>;
  /** Newest first. Searches the name for `q`, in any case; null does not filter. */
  page(workspaceId: string, q: string | null, request: PageRequest): Promise<Page<List>>;
  /** Writes what `decide` returns. Null: no such list. */
  change(
    workspaceId: string,
    id: string,
    decide: (current: ListContent) => ListContent,
  ): Promise<List | null>;
  /** What readers see of it. Null: no such list. */
  options(workspaceId: string, id: string): Promise<ListOptions | null>;
  /** Whether the workspace has a public list. */
  hasPublic(workspaceId: string): Promise<boolean>;
  /**
   * Writes what `decide` returns; nothing if it refuses. `publicLists`: how many lists of the workspace are
   * public. Null: no such list.
   */
  changeOptions(
    workspaceId: string,
    id: string,
    decide: (current: ListOptions, publicLists: number) => Result<ListOptions>,
  ): Promise<Result<ListOptions> | null>;
  /**
   * Deletes a list and its memberships, but not its contacts. Campaigns lose the list; a campaign that was
   * scheduled only to it returns to DRAFT (docs/decisions.md "Lists"). False: no such list.
   */
  delete(workspaceId: string, id: string): Promise<boolean>;

  /** A list's contacts, newest contact first. Ignores `filter.tag`. Null: no such list. */
  contacts(
    workspaceId: string,
    id: string,
    filter: Omit<ContactFilter, "tag">,
    request: PageRequest,
  ): Promise<Page<Contact> | null>;

  /**
   * Adds those who may join, all or nobody: `check` sees which of the ids are contacts of the workspace.
   * `added` also counts those who were on the list already. Null: no such list.
   */
  addContacts(
    workspaceId: string,
    id: string,
    contactIds: readonly string[],
    check: (known: ReadonlySet<string>) => Refusal | null,
    at: Instant,
  ): Promise<Result<{ added: number; skipped: number }> | null>;

  /** Whether the contact left the list by themselves, on the preferences page, and has not come back. */
  hasLeft(workspaceId: string, id: string, contactId: string): Promise<boolean>;

  /**
   * Not an error if the contact was not on the list. Returns what the workspace does not have, if anything.
   */
  removeContact(
    workspaceId: string,
    id: string,
    contactId: string,
    at: Instant,
  ): Promise<"removed" | "no list" | "no contact">;
};
