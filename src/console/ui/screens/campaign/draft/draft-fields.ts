import type { CampaignFormat } from "../../../api/api.gen.ts";

/** Everything that people write in a campaign. The API keeps it in two places. */
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
