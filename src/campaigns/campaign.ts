import { notFound, type AppError, type Refusal } from "#core/errors/errors.ts";
import type { Instant } from "#core/time/clock.ts";

export const CAMPAIGN_STATUSES = ["DRAFT", "SCHEDULED", "SENT"] as const;

/**
 * DRAFT --schedule--> SCHEDULED --cancel, or its list is deleted--> DRAFT; SCHEDULED --schedule--> SCHEDULED (a new
 * time); DRAFT or SCHEDULED --every recipient is processed--> SENT, which is final. SCHEDULED always means a time, and
 * a list or a segment. While a send is in progress, the status does not change (docs/decisions.md "Campaigns and
 * sending").
 */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/**
 * Each number counts distinct recipients. `unsubscribed` stays 0 by contract: opt-outs are read from the
 * contacts.
 */
type CampaignStat = {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly unsubscribed: number;
};

/**
 * A one-off mailing to a list or a segment, without its HTML body, which is stored but never returned. `stat` is null
 * until the first message is accepted.
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
  /** Accepted by the relay and not bounced since. Shown only to requests that ask for it by name. */
  readonly delivered: number;
};

/** The answer to every change and every further send of a SENT campaign. */
export const ALREADY_SENT: Refusal = {
  code: "CAMPAIGN_ALREADY_SENT",
  message: "This campaign was sent. Make a new one to send again.",
};

export const noSuchCampaign = (id: string): AppError => notFound(`The campaign ${id}`);
