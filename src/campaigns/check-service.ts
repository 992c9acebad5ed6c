import type { Clock } from "#core/clock.ts";
import { notFound, type Refusal } from "#core/errors.ts";
import type { SkipReason } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { localTime } from "#workspaces/local-time.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { audienceOptions, hasAudience, type AudienceStore } from "./audience.ts";
import { ALREADY_SENT } from "./campaign.ts";
import { checkAudience } from "./guardrails.ts";
import type { RefusalOf } from "./refusal-service.ts";
import type { SendOptions } from "./send-input.ts";
import type { CampaignStore, StoredCampaign } from "./store.ts";

/** Messages a second, as long as no campaign of the workspace has shown its relay's pace. */
const PACE_AT_FIRST = 50;

/** What a send would do now. `refusal` is what it would answer. */
type CampaignCheck = {
  readonly recipients: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly refusal: Refusal | null;
  readonly estimatedSeconds: number;
};

export type CheckCampaign = (
  workspaceId: string,
  id: string,
  readOptions: () => SendOptions,
) => Promise<CampaignCheck>;

type CheckParts = {
  readonly campaigns: Pick<CampaignStore, "find">;
  readonly audiences: AudienceStore;
  readonly ledger: Pick<LedgerStore, "progress">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly refusalOf: RefusalOf;
  readonly clock: Clock;
};

type Counted = Omit<CampaignCheck, "estimatedSeconds">;

/**
 * `POST /campaigns/{id}/check`: a send that sends and changes nothing. Of a send under way it says who is still
 * owed. @throws AppError NOT_FOUND
 */
export function campaignCheck(parts: CheckParts): CheckCampaign {
  const { campaigns, audiences } = parts;
  return async (workspaceId, id, readOptions) => {
    const found = await campaigns.find(workspaceId, id);
    if (!found) throw notFound(`Campaign ${id}`);
    const counted = await countedOf(parts, workspaceId, found, readOptions());
    const pace = (await audiences.pace(workspaceId)) ?? PACE_AT_FIRST;
    return { ...counted, estimatedSeconds: Math.ceil(counted.recipients / pace) };
  };
}

async function countedOf(
  parts: CheckParts,
  workspaceId: string,
  found: StoredCampaign,
  options: SendOptions,
): Promise<Counted> {
  const { campaign, mailing } = found;
  if (campaign.status === "SENT") return { ...NOBODY, refusal: ALREADY_SENT };
  if (mailing !== null) {
    const { remaining, skipped } = await parts.ledger.progress(mailing);
    return { recipients: remaining, skipped, refusal: null };
  }
  const refusal = await parts.refusalOf(workspaceId, found, options);
  if (!hasAudience(campaign.listId, found.options.segmentId)) return { ...NOBODY, refusal };
  return await tallied(parts, workspaceId, found, { ...options, refusal });
}

const NOBODY = { recipients: 0, skipped: {} };

async function tallied(
  { audiences, workspaces, clock }: CheckParts,
  workspaceId: string,
  { campaign, options }: StoredCampaign,
  { excludeEmails, refusal }: Pick<SendOptions, "excludeEmails"> & { readonly refusal: Refusal | null },
): Promise<Counted> {
  const now = clock.now();
  const audience = { ...audienceOptions(options), listId: campaign.listId };
  const { mailable, skipped } = await audiences.tally(workspaceId, audience, excludeEmails, now);
  const { dailyCap, monthlyLimit, timezone } = await workspaces.settings(workspaceId);
  const { day, month } = localTime(now, timezone);
  const [dayUsed, monthUsed] = [
    await audiences.used(workspaceId, day),
    await audiences.used(workspaceId, month),
  ];
  const limits = { day, month, dayUsed, monthUsed, dailyCap, monthlyLimit };
  return {
    recipients: mailable,
    skipped: Object.fromEntries(Object.entries(skipped).filter(([, n]) => n > 0)),
    refusal: refusal ?? checkAudience({ ...limits, mailable }),
  };
}
