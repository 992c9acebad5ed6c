import type { Clock } from "#core/time/clock.ts";
import type { Refusal } from "#core/errors/errors.ts";
import type { LetterCheck } from "#deliveries/letters/letter-check.ts";
import { isQuiet } from "#workspaces/quiet-hours.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { checkBeforePlan, checkMayStart } from "./guardrails.ts";
import type { PlanOptions } from "./plan.ts";
import type { CampaignStore, StoredCampaign } from "#campaigns/store.ts";

/**
 * Why a campaign must not start now, before its audience is counted; null if there is no reason so far. The letter
 * is compiled only if no earlier check refuses. @throws WorkLate
 */
export type RefusalOf = (
  workspaceId: string,
  found: StoredCampaign,
  options: Pick<PlanOptions, "overrideQuietHours">,
) => Promise<Refusal | null>;

type RefusalParts = {
  readonly campaigns: Pick<CampaignStore, "letter">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly checkLetter: LetterCheck;
  readonly clock: Clock;
};

export function refusalService({ campaigns, workspaces, checkLetter, clock }: RefusalParts): RefusalOf {
  return async (workspaceId, { campaign, options }, { overrideQuietHours }) => {
    const settings = await workspaces.settings(workspaceId);
    const { status, listId } = campaign;
    const { segmentId, fromEmail } = options;
    const early = checkMayStart({ ...settings, status, listId, segmentId });
    if (early) return early;
    const letter = await campaigns.letter(workspaceId, campaign.id);
    const fault = letter && (await checkLetter(workspaceId, letter));
    if (fault) return fault;
    const { mailingAddress, quietHours, timezone } = settings;
    const quiet = isQuiet(clock.now(), quietHours, timezone);
    return checkBeforePlan({ mailingAddress, senders: settings, fromEmail, quiet, overrideQuietHours });
  };
}
