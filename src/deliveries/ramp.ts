import type { Clock } from "#core/time/clock.ts";
import { dayStart, localTime } from "#workspaces/local-time.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { warmUpLimit } from "#workspaces/warm-up.ts";
import type { LedgerStore } from "./store.ts";

/** How many campaign messages a workspace may send today while it warms up, and how many have gone out. */
type Ramp = { readonly limit: number; readonly used: number };

/** Null: nothing is limited today. */
export type RampOf = (workspaceId: string) => Promise<Ramp | null>;

export function rampsOf(parts: {
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly ledger: Pick<LedgerStore, "campaignMessagesSince">;
  readonly clock: Clock;
}): RampOf {
  const { workspaces, ledger, clock } = parts;
  return async (workspaceId) => {
    const { warmUp, timezone } = await workspaces.settings(workspaceId);
    if (warmUp === null) return null;
    const now = clock.now();
    const limit = warmUpLimit(warmUp, localTime(now, timezone).day);
    if (limit === null) return null;
    return { limit, used: await ledger.campaignMessagesSince(workspaceId, dayStart(now, timezone)) };
  };
}
