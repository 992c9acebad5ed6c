import { invalid, type Refusal } from "#core/errors/errors.ts";
import { DAY_MS, MINUTE_MS } from "#core/time/time.ts";
import { checkQuota } from "#workspaces/quota.ts";
import { marketingMissing } from "#workspaces/sender-missing.ts";
import { checkMaySend } from "#workspaces/sending-switch.ts";
import type { Instant } from "#core/time/clock.ts";
import { hasAudience } from "./audience.ts";
import { NO_AUDIENCE } from "#campaigns/edit.ts";
import { checkSender, type Senders } from "#campaigns/options/sender.ts";
import { ALREADY_SENT, type Campaign, type CampaignStatus } from "#campaigns/campaign.ts";

/** A campaign that is later than this does not start by itself: it would help nobody and might surprise people. */
export const LATENESS_MAX_MS = DAY_MS;
export const TOO_LATE = "Its time was more than 24 hours ago.";

/** How often a campaign that a guardrail stops is tried again (docs/decisions.md "Campaigns and sending"). */
export const TRY_AGAIN_MS = MINUTE_MS;
/** No next try is further ahead, also by another server's clock. If one is, a clock was ahead when it was written. */
export const TRY_AHEAD_MAX_MS = 2 * TRY_AGAIN_MS;

/** The facts that are checked before the letter. */
export type StartFacts = {
  readonly status: CampaignStatus;
  readonly suspended: boolean;
  /** The workspace's guardrails switch. */
  readonly sending: boolean;
  readonly listId: string | null;
  readonly segmentId: string | null;
};

/** The facts that are checked after the letter. `quiet`: whether the workspace has quiet hours now. */
export type SendFacts = {
  readonly mailingAddress: string;
  /** The workspace's sender, and the other domains that it may send from. */
  readonly senders: Senders;
  /** The campaign's own sender; null is the workspace's. */
  readonly fromEmail: string | null;
  readonly quiet: boolean;
  readonly overrideQuietHours: boolean;
};

/**
 * What the plan adds: how many recipients are left after exclusions, suppressions and blocked domains, and how much
 * of the periods' limits is used.
 */
export type AudienceFacts = {
  readonly mailable: number;
  /** The workspace's calendar month (`2026-11`) and day (`2026-11-21`); refusals name them. */
  readonly month: string;
  readonly monthUsed: number;
  readonly monthlyLimit: number | null;
  readonly day: string;
  readonly dayUsed: number;
  readonly dailyCap: number | null;
};

/**
 * The first reason why a campaign must not start, in the order of docs/decisions.md "Campaigns and sending"; null
 * if there is none so far. The next checks are whether the letter compiles, then `checkBeforePlan`. A send that is
 * already running continues without these checks.
 */
export function checkMayStart(facts: StartFacts): Refusal | null {
  if (facts.status === "SENT") return ALREADY_SENT;
  const stopped = checkMaySend(facts);
  if (stopped) return stopped;
  return hasAudience(facts.listId, facts.segmentId) ? null : invalid(NO_AUDIENCE).refusal;
}

/** The reasons that are checked after the letter and for which nobody needs to be counted. */
export function checkBeforePlan(facts: SendFacts): Refusal | null {
  const { senders, fromEmail } = facts;
  const missing = marketingMissing(facts.mailingAddress, fromEmail ?? senders.fromEmail);
  if (missing) return missing;
  const foreign = fromEmail === null ? null : checkSender(fromEmail, senders);
  if (foreign) return foreign;
  if (facts.quiet && !facts.overrideQuietHours) {
    return invalid(
      "It is quiet hours in this workspace. Send later, schedule the campaign, or set `overrideQuietHours`.",
    ).refusal;
  }
  return null;
}

/**
 * Whether a plan that was cut off is still wanted. `begunFor` is the schedule that began it; null: a person began
 * it. If a person began the plan and the campaign was given a time later, that time counts.
 */
export function checkCutOffPlan(
  begunFor: Instant | null,
  { status, scheduledAt }: Pick<Campaign, "status" | "scheduledAt">,
  now: Instant,
): Refusal | null {
  const currentAt = status === "SCHEDULED" ? scheduledAt : null;
  if (currentAt !== begunFor) return invalid("The campaign's schedule was changed meanwhile.").refusal;
  if (begunFor !== null && now - begunFor > LATENESS_MAX_MS)
    return invalid("The campaign's time was more than 24 hours ago.").refusal;
  return null;
}

/**
 * The reasons that need the counts. Checked in the transaction that reserves them. The whole send is refused:
 * nothing is sent in part.
 */
export function checkAudience(facts: AudienceFacts): Refusal | null {
  const { mailable: wanted } = facts;
  if (wanted === 0) {
    return invalid(
      "Nobody is left to mail: the campaign's list and segment have no SUBSCRIBED contact that is not excluded, suppressed or on a blocked domain.",
    ).refusal;
  }
  return (
    checkQuota({
      period: "month",
      periodKey: facts.month,
      wanted,
      used: facts.monthUsed,
      limit: facts.monthlyLimit,
    }) ??
    checkQuota({ period: "day", periodKey: facts.day, wanted, used: facts.dayUsed, limit: facts.dailyCap })
  );
}
