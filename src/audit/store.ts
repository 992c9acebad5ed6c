import type { Act } from "#core/request/acting.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { AuditEntry } from "./entry.ts";

export type AuditFilter = { readonly what: string | null };

/** The audit log. Every method is one transaction. */
export type AuditStore = {
  /** Newest first, of the last year. */
  page(workspaceId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
  /**
   * What the things with these ids are called now: campaigns and automations by name, contacts by address, imports
   * by file, webhooks by URL. What is gone, and what has no name, is left out.
   */
  names(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** All of them, newest first. Null: attempts to sign in with addresses that nobody has. */
  entries(workspaceId: string | null): AsyncIterable<AuditEntry>;
  /**
   * After an act: writes its entry, if no transaction of it did, and what it was done to, if that became known
   * only afterwards. Of an act that is told of only if it changed something, nothing is written here first.
   */
  settle(act: Act): Promise<void>;
  /** After an act that was refused: its entry goes, if there is one. */
  takeBack(act: Act): Promise<void>;
};
