import { PLAIN_LETTER, type LetterOptions } from "#mail/letter/letter-options.ts";

/** Beside the campaign's list: who is asked, and who of them gets nothing. */
export type AudienceOptions = {
  readonly segmentId: string | null;
  readonly excludeListIds: readonly string[];
  readonly excludeSegmentIds: readonly string[];
};

/** Null is the workspace's. */
type SenderOptions = {
  readonly fromName: string | null;
  readonly fromEmail: string | null;
  readonly replyTo: string | null;
  readonly trackOpens: boolean | null;
  readonly trackClicks: boolean | null;
};

/**
 * What is set of a campaign beside its own fields (docs/contract.md "Options of a campaign"). Ids of lists and
 * segments stay when those are deleted: then nobody is in them.
 */
export type CampaignOptions = LetterOptions &
  SenderOptions &
  AudienceOptions & {
    /** A word for the author's own sorting. */
    readonly topic: string | null;
  };

export const DEFAULT_OPTIONS: CampaignOptions = {
  ...PLAIN_LETTER,
  fromName: null,
  fromEmail: null,
  replyTo: null,
  segmentId: null,
  excludeListIds: [],
  excludeSegmentIds: [],
  trackOpens: null,
  trackClicks: null,
  topic: null,
};

/** What is wanted of some of them; the others stay. */
export type OptionsChange = Partial<CampaignOptions>;

/** What a campaign is made of, as its author wrote it. `html` is in the format that the options say. */
export type CampaignLetter = {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
  readonly options: CampaignOptions;
};
