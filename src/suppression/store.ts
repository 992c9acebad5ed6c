import type { Instant } from "#core/clock.ts";
import type { SuppressionReason } from "./reason.ts";

/** An address that is never mailed. `email` is in its stored form. */
export type Suppression = {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly createdAt: Instant;
};

/** A domain whose addresses are skipped when sending, in lower-case A-labels. */
export type BlockedDomain = { readonly domain: string; readonly createdAt: Instant };

/** The addresses and domains a workspace never mails. Every method is one transaction. */
export type SuppressionStore = {
  /**
   * Adds an entry, or gives the existing one the reason that `strengthen` makes of both. Returns the entry as
   * it is then.
   */
  add(
    workspaceId: string,
    entry: Suppression,
    strengthen: (current: SuppressionReason | null, next: SuppressionReason) => SuppressionReason,
  ): Promise<Suppression>;
  /** False: there was none. */
  remove(workspaceId: string, address: string): Promise<boolean>;
  find(workspaceId: string, address: string): Promise<Suppression | null>;
  /** Sorted by address, starting after `after`. */
  list(workspaceId: string, after: string, limit: number): Promise<Suppression[]>;

  /** An existing entry stays as it is. */
  blockDomain(workspaceId: string, entry: BlockedDomain): Promise<BlockedDomain>;
  /** False: it was not blocked. */
  unblockDomain(workspaceId: string, domain: string): Promise<boolean>;
  /** By name. */
  blockedDomains(workspaceId: string): Promise<BlockedDomain[]>;
};
