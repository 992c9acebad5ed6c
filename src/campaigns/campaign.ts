import type { Refusal } from "#core/errors.ts";
import type { Instant } from "#core/clock.ts";

export const CAMPAIGN_STATUSES = ["DRAFT", "SCHEDULED", "SENT"] as const;

/**
 * DRAFT --schedule--> SCHEDULED --cancel, or its list is gone--> DRAFT; SCHEDULED --schedule--> SCHEDULED (a new time);
 * DRAFT or SCHEDULED --every recipient is processed--> SENT, which nothing leaves. SCHEDULED always means a list and a time.
 * While a send is under way the status stays what it was (docs/decisions.md "Campaigns and sending").
 */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Distinct recipients each. `unsubscribed` stays 0 by contract: opt-outs are read from the contacts. */
type CampaignStat = {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly unsubscribed: number;
};

/**
 * A one-off mailing to a list, without its HTML body, which is stored but never handed out. `stat` is null until the first
 * message is accepted.
 */
export type Campaign = {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly status: CampaignStatus;
  readonly listId: string | null;
  readonly scheduledAt: Instant | null;
  readonly sentAt: Instant | null;
  readonly createdAt: Instant;
  readonly stat: CampaignStat | null;
};

/** What every change and every further send of a SENT campaign is answered with. */
export const ALREADY_SENT: Refusal = {
  code: "CAMPAIGN_ALREADY_SENT",
  message: "This campaign was sent. Make a new one to send again.",
};
