import { noSuchCampaign } from "#campaigns/campaign.ts";
import type { Clock } from "#core/time/clock.ts";
import { firstBounds, type Step } from "#stats/steps.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import {
  LINKS_MAX,
  TIMELINE_STEPS_MAX,
  type LinkFigures,
  type OutcomeFiguresStore,
  type TimelineStep,
} from "./outcome-figures.ts";
import type { CampaignStore } from "#campaigns/store.ts";

export type CampaignOutcomes = ReturnType<typeof campaignOutcomes>;

/** What became of a campaign's mail, by link and by time. Both methods throw AppError NOT_FOUND. */
export function campaignOutcomes(parts: {
  campaigns: Pick<CampaignStore, "find">;
  figures: OutcomeFiguresStore;
  workspaces: Pick<WorkspaceStore, "settings">;
  clock: Clock;
}) {
  const { campaigns, figures, workspaces, clock } = parts;

  const mailingOf = async (workspaceId: string, id: string) => {
    const found = await campaigns.find(workspaceId, id);
    if (!found) throw noSuchCampaign(id);
    return found;
  };

  return {
    /** The most clicked first; empty until the send begins. */
    async links(workspaceId: string, id: string): Promise<readonly LinkFigures[]> {
      const { mailing, options } = await mailingOf(workspaceId, id);
      return mailing === null ? [] : figures.links(mailing, options.personalize, LINKS_MAX);
    },

    /**
     * Steps in the workspace's time zone from the first message until now, including empty ones; at most the first
     * `TIMELINE_STEPS_MAX`. Empty before the first message.
     */
    async timeline(workspaceId: string, id: string, readStep: () => Step): Promise<TimelineStep[]> {
      const { mailing } = await mailingOf(workspaceId, id);
      const step = readStep();
      const span = mailing === null ? null : await figures.span(mailing);
      if (mailing === null || span === null) return [];
      const { timezone } = await workspaces.settings(workspaceId);
      // If the clock was set back, something may have happened after now.
      const to = Math.max(clock.now(), span.to) + 1;
      const bounds = firstBounds({ from: span.from, to }, step, timezone, TIMELINE_STEPS_MAX);
      const steps = await figures.between(mailing, bounds);
      return steps.map((each, i) => ({ at: bounds[i] ?? span.from, ...each }));
    },
  };
}
