import type { Clock } from "#core/time/clock.ts";
import { parseEmailAddress, parseHostName } from "#core/addresses/email-address.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { strongerReason, type SuppressionReason } from "./reason.ts";
import type { DecisionSource } from "#core/decision-source.ts";
import type { Added, SuppressionStore } from "./store.ts";
import type { BlockedDomain, Suppression } from "./suppression.ts";
import type { SuppressionFilter } from "./suppression-input.ts";

const PAGE = 1000;

export type SuppressionService = ReturnType<typeof suppressionService>;

/**
 * Suppressions and blocked domains, for the command line and the API. Takes addresses and domains as a person
 * types them.
 */
export function suppressionService(parts: { suppressions: SuppressionStore; clock: Clock }) {
  const { suppressions, clock } = parts;

  return {
    /**
     * Returns the entry as it is then: an existing one keeps its time and the stronger reason. Confirmation
     * links that were sent to the address before become void. No contact's status changes.
     * @throws AppError VALIDATION_ERROR
     */
    add: async (
      workspaceId: string,
      address: string,
      reason: SuppressionReason = "MANUAL",
      source: DecisionSource = "admin",
    ): Promise<Added<Suppression>> => {
      const entry = { email: unwrap(parseEmailAddress(address)), reason, source, createdAt: clock.now() };
      return await suppressions.add(workspaceId, entry, strongerReason);
    },

    /**
     * Forgets the entry, and changes nothing else: no status is raised, nobody joins a list again, no
     * confirmation link works again, and the consent log stays. False: there was no entry.
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

    /** Newest first. */
    page: (
      workspaceId: string,
      filter: SuppressionFilter,
      request: PageRequest,
    ): Promise<Page<Suppression>> => suppressions.page(workspaceId, filter, request),

    /**
     * Returns the entry as it is then.
     * @throws AppError VALIDATION_ERROR
     */
    blockDomain: async (workspaceId: string, domain: string): Promise<Added<BlockedDomain>> =>
      await suppressions.blockDomain(workspaceId, {
        domain: unwrap(parseHostName(domain.trim())),
        createdAt: clock.now(),
      }),

    /** False: it was not blocked. @throws AppError VALIDATION_ERROR */
    unblockDomain: async (workspaceId: string, domain: string): Promise<boolean> =>
      await suppressions.unblockDomain(workspaceId, unwrap(parseHostName(domain.trim()))),

    blockedDomains: (workspaceId: string): Promise<BlockedDomain[]> =>
      suppressions.blockedDomains(workspaceId),

    /** Newest first. */
    domainPage: (workspaceId: string, request: PageRequest): Promise<Page<BlockedDomain>> =>
      suppressions.domainPage(workspaceId, request),
  };
}
