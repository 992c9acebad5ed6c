import type { Act } from "#core/request/acting.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { AuditEntry } from "./entry.ts";

export type AuditFilter = { readonly what: string | null };

/** The audit log. Every method is one transaction. */
export type AuditStore = {
  /** Newest first, of the last year. */
  page(workspaceId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
  /**
   * The present names of the things with these ids: campaigns and automations by name, contacts by address, imports
   * by file, webhooks by URL. Things that are gone or have no name are left out.
   */
  names(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** All of them, newest first. Null: attempts to sign in with addresses that nobody has. */
  entries(workspaceId: string | null): AsyncIterable<AuditEntry>;
  /**
   * After an act: writes its entry, if no transaction of the act did, and its target, if that became known only
   * afterwards. Writes no new entry for an act with `onlyIfChanged`.
   */
  settle(act: Act): Promise<void>;
  /** After an act that was refused: removes its entry, if there is one. */
  takeBack(act: Act): Promise<void>;
};
