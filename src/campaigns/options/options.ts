import { PLAIN_LETTER, type LetterOptions } from "#mail/letter/letter-options.ts";

/** In addition to the campaign's list: who gets it, and who of them is left out. */
export type AudienceOptions = {
  readonly segmentId: string | null;
  readonly excludeListIds: readonly string[];
  readonly excludeSegmentIds: readonly string[];
};

/** Null means the workspace's setting. */
type SenderOptions = {
  readonly fromName: string | null;
  readonly fromEmail: string | null;
  readonly replyTo: string | null;
  readonly trackOpens: boolean | null;
  readonly trackClicks: boolean | null;
};

/**
 * The options of a campaign, in addition to its own fields (docs/contract.md "Options of a campaign"). Ids of
 * deleted lists and segments stay; such lists and segments have no contacts.
 */
export type CampaignOptions = LetterOptions &
  SenderOptions &
  AudienceOptions & {
    /** A word by which the author sorts campaigns. */
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

/** A change of some options; the others stay. */
export type OptionsChange = Partial<CampaignOptions>;

/** What a campaign is made of, as its author wrote it. `html` is in the format that the options say. */
export type CampaignLetter = {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
  readonly options: CampaignOptions;
};
