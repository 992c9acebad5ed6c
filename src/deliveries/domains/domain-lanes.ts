import type { Clock } from "#core/time/clock.ts";
import { atLeastOne, everything, type Share } from "#core/share.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { DomainLimits } from "#workspaces/domain-limits.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { hourBegins, type HourCount } from "./hour-count.ts";
import { Lanes, type SlowedDomain } from "./lanes.ts";

export type DomainLanes = {
  /** The lanes of a workspace: always the same object, with the limits of today's settings. */
  of(workspaceId: string): Promise<Lanes>;
  slowed(workspaceId: string): readonly SlowedDomain[];
  /** How many pairs of workspace and provider are slowed down now. */
  readonly slowedInAll: number;
};

/**
 * The limits of domains and what was learned about domains, by workspace. The limits' counts are in the ledger;
 * what was learned is lost when the process ends.
 */
export function domainLanes(parts: {
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly ledger: Pick<LedgerStore, "domainSends">;
  readonly clock: Clock;
  /** This process's share of a limit. */
  readonly share: Share;
}): DomainLanes {
  const { workspaces, ledger, clock, share } = parts;
  const known = new Map<string, Lanes>();
  return {
    async of(workspaceId) {
      const lanes = known.get(workspaceId) ?? new Lanes();
      known.set(workspaceId, lanes);
      const limits = ours((await workspaces.settings(workspaceId)).domainLimits ?? [], share);
      if (lanes.has(limits)) return lanes;
      const counts = new Map<string, HourCount>();
      for (const { domains } of limits)
        counts.set(domains.join(), await ledger.domainSends(workspaceId, domains, hourBegins(clock.now())));
      const countOf = (domains: readonly string[]): HourCount => counts.get(domains.join()) ?? [];
      lanes.limit(limits, countOf);
      // Other processes send too, or did until now: then only the ledger has the whole count.
      if (share !== everything) lanes.recount(countOf);
      return lanes;
    },
    slowed: (workspaceId) => known.get(workspaceId)?.slowed() ?? [],
    get slowedInAll() {
      return [...known.values()].reduce((sum, lanes) => sum + lanes.slowed().length, 0);
    },
  };
}

/** This process's part of the limits. It is never zero: messages that it has taken could then never go out. */
const ours = (limits: DomainLimits, share: Share): DomainLimits =>
  limits.map((limit) => ({
    ...limit,
    perHour: limit.perHour === null ? null : atLeastOne(share, limit.perHour),
    connections: limit.connections === null ? null : atLeastOne(share, limit.connections),
  }));
