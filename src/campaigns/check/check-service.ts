import type { Clock } from "#core/time/clock.ts";
import type { Contact } from "#contacts/contact.ts";
import { AppError, type Refusal } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { SkipReason } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { hourBegins, sentInHour } from "#deliveries/domains/hour-count.ts";
import type { DomainLimits } from "#workspaces/domain-limits.ts";
import { dayStart, localTime } from "#workspaces/local-time.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { audienceOptions, hasAudience, type AudienceStore } from "#campaigns/send/audience.ts";
import { noSuchCampaign, ALREADY_SENT } from "#campaigns/campaign.ts";
import { estimatedSeconds, type Estimate } from "./estimate.ts";
import { checkAudience } from "#campaigns/send/guardrails.ts";
import type { LeftOutReason } from "./left-out.ts";
import type { RefusalOf } from "#campaigns/send/refusal-service.ts";
import type { SendOptions } from "#campaigns/send/send-input.ts";
import type { CampaignStore, StoredCampaign } from "#campaigns/store.ts";

/** Assumed messages a second, until a campaign of the workspace has shown how fast its relay is. */
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
  readOptions: () => Promise<SendOptions>,
) => Promise<CampaignCheck>;

type CheckParts = {
  readonly campaigns: Pick<CampaignStore, "find">;
  readonly audiences: AudienceStore;
  readonly ledger: Pick<LedgerStore, "progress" | "campaignMessagesSince" | "domainSends">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly refusalOf: RefusalOf;
  readonly clock: Clock;
};

/** `ofDomains`: how many recipients each limited group of domains has; empty if that is not known. */
type Counted = Omit<CampaignCheck, "estimatedSeconds"> & { readonly ofDomains: readonly number[] };

/**
 * `POST /campaigns/{id}/check`: a dry run, which sends and changes nothing. For a send in progress it counts who is
 * still owed.
 * @throws AppError NOT_FOUND
 */
export function campaignCheck(parts: CheckParts): CheckCampaign {
  const { campaigns, audiences } = parts;
  return async (workspaceId, id, readOptions) => {
    const found = await campaigns.find(workspaceId, id);
    if (!found) throw noSuchCampaign(id);
    const { ofDomains, ...counted } = await countedOf(parts, workspaceId, found, await readOptions());
    const pace = (await audiences.pace(workspaceId)) ?? PACE_AT_FIRST;
    const { recipients } = counted;
    const limits = await heldBackBy(parts, workspaceId, ofDomains);
    return { ...counted, estimatedSeconds: estimatedSeconds({ recipients, pace, ...limits }) };
  };
}

/** @throws AppError NOT_FOUND, WRONG_STATE */
export type FindLeftOutOf = (
  workspaceId: string,
  id: string,
  read: () => { readonly reason: LeftOutReason | null; readonly page: PageRequest },
) => Promise<Page<Contact>>;

/** `GET /campaigns/{id}/check/contacts`: the contacts that a number of the dry run counts. */
export function leftOutOfCheck({
  campaigns,
  audiences,
  clock,
}: Pick<CheckParts, "campaigns" | "audiences" | "clock">): FindLeftOutOf {
  return async (workspaceId, id, read) => {
    const found = await campaigns.find(workspaceId, id);
    if (!found) throw noSuchCampaign(id);
    const asked = read();
    if (found.mailing !== null || found.campaign.status === "SENT")
      throw new AppError("WRONG_STATE", `Its send has begun: read \`GET /campaigns/${id}/deliveries\`.`);
    const audience = { ...audienceOptions(found.options), listId: found.campaign.listId };
    if (!hasAudience(audience.listId, audience.segmentId)) return { items: [], total: 0, nextPosition: null };
    return await audiences.leftOut(workspaceId, audience, asked, clock.now());
  };
}

/** What keeps the workspace's mail from leaving now. */
async function heldBackBy(
  { workspaces, ledger, clock }: CheckParts,
  workspaceId: string,
  ofDomains: readonly number[],
): Promise<Omit<Estimate, "recipients" | "pace">> {
  const now = clock.now();
  const { warmUp, timezone, domainLimits } = await workspaces.settings(workspaceId);
  const sentToday =
    warmUp === null ? 0 : await ledger.campaignMessagesSince(workspaceId, dayStart(now, timezone));
  const limits = hourly(domainLimits).map(async ({ domains, perHour }, i) => {
    const sends = await ledger.domainSends(workspaceId, domains, hourBegins(now));
    return { recipients: ofDomains[i] ?? 0, perHour, sentInHour: sentInHour(sends, now) };
  });
  return { now, warmUp, timezone, sentToday, limits: await Promise.all(limits) };
}

/** The domain limits that allow a number of messages an hour. */
const hourly = (limits: DomainLimits | null): { domains: readonly string[]; perHour: number }[] =>
  (limits ?? []).flatMap(({ domains, perHour }) => (perHour === null ? [] : [{ domains, perHour }]));

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
    return { recipients: remaining, skipped, refusal: null, ofDomains: [] };
  }
  const refusal = await parts.refusalOf(workspaceId, found, options);
  if (!hasAudience(campaign.listId, found.options.segmentId)) return { ...NOBODY, refusal };
  return await tallied(parts, workspaceId, found, { ...options, refusal });
}

const NOBODY = { recipients: 0, skipped: {}, ofDomains: [] };

async function tallied(
  { audiences, workspaces, clock }: CheckParts,
  workspaceId: string,
  { campaign, options }: StoredCampaign,
  { excludeEmails, refusal }: Pick<SendOptions, "excludeEmails"> & { readonly refusal: Refusal | null },
): Promise<Counted> {
  const now = clock.now();
  const audience = { ...audienceOptions(options), listId: campaign.listId };
  const { dailyCap, monthlyLimit, timezone, domainLimits } = await workspaces.settings(workspaceId);
  const domains = hourly(domainLimits).map((limit) => limit.domains);
  const asked = { excludeEmails, domains };
  const { mailable, skipped, ofDomains } = await audiences.tally(workspaceId, audience, asked, now);
  const { day, month } = localTime(now, timezone);
  const [dayUsed, monthUsed] = [
    await audiences.used(workspaceId, day),
    await audiences.used(workspaceId, month),
  ];
  const limits = { day, month, dayUsed, monthUsed, dailyCap, monthlyLimit };
  return {
    recipients: mailable,
    ofDomains,
    skipped: Object.fromEntries(Object.entries(skipped).filter(([, n]) => n > 0)),
    refusal: refusal ?? checkAudience({ ...limits, mailable }),
  };
}
