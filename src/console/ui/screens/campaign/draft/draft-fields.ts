import type { CampaignFormat } from "../../../api/api.gen.ts";

/** All that somebody writes of a campaign: the API keeps it in two places. */
export type Draft = {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly listId: string | null;
  readonly format: CampaignFormat;
  readonly personalize: boolean;
  readonly preheader: string;
  readonly text: string | null;
  readonly fromName: string | null;
  readonly fromEmail: string | null;
  readonly replyTo: string | null;
  readonly segmentId: string | null;
  readonly excludeListIds: string[];
  readonly excludeSegmentIds: string[];
  readonly trackOpens: boolean | null;
  readonly trackClicks: boolean | null;
};

export type SetDraft = (change: Partial<Draft>) => void;
