import type { Log } from "#log.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { tooMuch } from "#stats/rates.ts";
import type { StatsService } from "#stats/service.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { SendControlStore } from "./send-control.ts";

type Parts = {
  readonly sends: Pick<SendControlStore, "mayPauseThemselves" | "pauseItself">;
  readonly stats: Pick<StatsService, "recentRates">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly log: Log;
};

/**
 * Pauses the campaigns that are being sent when too much of a workspace's mail bounces or is complained about
 * (stats/rates.ts), unless the setting `autoPause` is off. A campaign is paused in this way only once: a person who
 * resumes it has looked at it. Returns true if one was paused: then the sender must be woken.
 */
export function autoPause({ sends, stats, workspaces, log }: Parts): () => Promise<boolean> {
  const reasonOf = async (workspaceId: string): Promise<string | null> => {
    const { autoPause: isOn } = await workspaces.settings(workspaceId);
    return isOn ? tooMuch(await stats.recentRates(workspaceId)) : null;
  };

  return async () => {
    const underWay = await sends.mayPauseThemselves();
    let hasPaused = false;
    for (const [workspaceId, campaigns] of Map.groupBy(underWay, (campaign) => campaign.workspaceId)) {
      await nextLoopTurn();
      const why = await reasonOf(workspaceId);
      if (why === null) continue;
      for (const { campaignId } of campaigns) {
        await sends.pauseItself(workspaceId, campaignId, `It paused itself. ${why} ${ADVICE}`);
        log.warn("a campaign paused itself", { campaign: campaignId, why });
        hasPaused = true;
      }
    }
    return hasPaused;
  };
}

const ADVICE = "Look at whom it goes to and at what it says, then resume or stop it.";
