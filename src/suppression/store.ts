import type { Page, PageRequest } from "#core/request/page.ts";
import type { SuppressionReason } from "./reason.ts";
import type { BlockedDomain, Suppression } from "./suppression.ts";
import type { SuppressionFilter } from "./suppression-input.ts";

/** What is there now, and whether it was added by this call. */
export type Added<T> = { readonly entry: T; readonly isNew: boolean };

/** The addresses and domains a workspace never mails. Every method is one transaction. */
export type SuppressionStore = {
  /**
   * Adds an entry, or gives the existing one the reason that `strengthen` makes of both, and then the source
   * of that reason.
   */
  add(
    workspaceId: string,
    entry: Suppression,
    strengthen: (current: SuppressionReason | null, next: SuppressionReason) => SuppressionReason,
  ): Promise<Added<Suppression>>;
  /** False: there was none. */
  remove(workspaceId: string, address: string): Promise<boolean>;
  find(workspaceId: string, address: string): Promise<Suppression | null>;
  /** Of those among the addresses that are suppressed. */
  reasonsOf(
    workspaceId: string,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, SuppressionReason>>;
  /** Sorted by address, starting after `after`. */
  list(workspaceId: string, after: string, limit: number): Promise<Suppression[]>;
  /** Newest first. A search reads all entries, in slices. */
  page(workspaceId: string, filter: SuppressionFilter, request: PageRequest): Promise<Page<Suppression>>;

  /** An existing entry stays as it is. */
  blockDomain(workspaceId: string, entry: BlockedDomain): Promise<Added<BlockedDomain>>;
  /** False: it was not blocked. */
  unblockDomain(workspaceId: string, domain: string): Promise<boolean>;
  /** By name. */
  blockedDomains(workspaceId: string): Promise<BlockedDomain[]>;
  /** Newest first. */
  domainPage(workspaceId: string, request: PageRequest): Promise<Page<BlockedDomain>>;
};
