import type { Instant } from "#core/clock.ts";
import type { SuppressionReason } from "./reason.ts";

/** An address that is never mailed. `email` is in its stored form. */
export type Suppression = {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly createdAt: Instant;
};

/** A domain whose addresses are skipped when sending; lower-case A-labels. */
export type BlockedDomain = { readonly domain: string; readonly createdAt: Instant };

/** The addresses and domains a workspace never mails. Every method is one transaction. */
export type SuppressionStore = {
  /** Adds an entry, or gives the one that is there the reason `strengthen` makes of both. Returns what then stands. */
  add(
    workspaceId: string,
    entry: Suppression,
    strengthen: (current: SuppressionReason | null, next: SuppressionReason) => SuppressionReason,
  ): Promise<Suppression>;
  /** False: there was none. */
  remove(workspaceId: string, address: string): Promise<boolean>;
  find(workspaceId: string, address: string): Promise<Suppression | null>;
  /** By address, from behind `after`. */
  list(workspaceId: string, after: string, limit: number): Promise<Suppression[]>;

  /** One that is there stays as it is. */
  blockDomain(workspaceId: string, entry: BlockedDomain): Promise<BlockedDomain>;
  /** False: it was not blocked. */
  unblockDomain(workspaceId: string, domain: string): Promise<boolean>;
  /** By name. */
  blockedDomains(workspaceId: string): Promise<BlockedDomain[]>;
};
