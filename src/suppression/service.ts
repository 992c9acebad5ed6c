import type { Clock } from "#core/clock.ts";
import { parseEmailAddress, parseHostName } from "#core/email-address.ts";
import { unwrap } from "#core/errors.ts";
import { strongerReason, type SuppressionReason } from "./reason.ts";
import type { BlockedDomain, Suppression, SuppressionStore } from "./store.ts";

const PAGE = 1000;

/** Suppression for the command line. Takes addresses and domains as a person types them. */
export function suppressionService(parts: { suppressions: SuppressionStore; clock: Clock }) {
  const { suppressions, clock } = parts;

  return {
    /**
     * Returns the entry as it is then: an existing one keeps its time and the stronger reason.
     * @throws AppError VALIDATION_ERROR
     */
    add: async (
      workspaceId: string,
      address: string,
      reason: SuppressionReason = "MANUAL",
    ): Promise<Suppression> => {
      const email = unwrap(parseEmailAddress(address));
      return await suppressions.add(workspaceId, { email, reason, createdAt: clock.now() }, strongerReason);
    },

    /**
     * Changes no contact's status. False: there was no entry.
     * @throws AppError VALIDATION_ERROR
     */
    remove: async (workspaceId: string, address: string): Promise<boolean> =>
      await suppressions.remove(workspaceId, unwrap(parseEmailAddress(address))),

    /** Null: not suppressed. @throws AppError VALIDATION_ERROR */
    find: async (workspaceId: string, address: string): Promise<Suppression | null> =>
      await suppressions.find(workspaceId, unwrap(parseEmailAddress(address))),

    /** Sorted by address, read in pieces. */
    async *list(workspaceId: string): AsyncGenerator<Suppression> {
      let after = "";
      for (;;) {
        const entries = await suppressions.list(workspaceId, after, PAGE);
        yield* entries;
        const last = entries.at(-1);
        if (last === undefined || entries.length < PAGE) return;
        after = last.email;
      }
    },

    /**
     * Returns the entry as it is then.
     * @throws AppError VALIDATION_ERROR
     */
    blockDomain: async (workspaceId: string, domain: string): Promise<BlockedDomain> =>
      await suppressions.blockDomain(workspaceId, {
        domain: unwrap(parseHostName(domain.trim())),
        createdAt: clock.now(),
      }),

    /** False: it was not blocked. @throws AppError VALIDATION_ERROR */
    unblockDomain: async (workspaceId: string, domain: string): Promise<boolean> =>
      await suppressions.unblockDomain(workspaceId, unwrap(parseHostName(domain.trim()))),

    blockedDomains: (workspaceId: string): Promise<BlockedDomain[]> =>
      suppressions.blockedDomains(workspaceId),
  };
}
