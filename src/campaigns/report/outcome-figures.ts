/**
 * What became of a campaign's mail, by link and by time. It is counted when it happens, in the transactions that
 * record it. So no request has to read all recipients, however many there are.
 */
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { STEPS, type Step } from "#stats/steps.ts";

/** Each counts distinct recipients, at the time of the first hit; `sent`: when the relay accepted it. */
export const CAMPAIGN_FIGURES = ["sent", "opened", "clicked", "bounced", "unsubscribed"] as const;

export type CampaignFigure = (typeof CAMPAIGN_FIGURES)[number];

/**
 * `bouncedLater`: messages that the relay accepted and a report later called bounced, counted at the time of the
 * report. They are in `sent` and in `bounced`, so the number of messages is `sent + bounced - bouncedLater`.
 */
export const CAMPAIGN_COUNTED = [...CAMPAIGN_FIGURES, "bouncedLater"] as const;

export type CampaignCounted = (typeof CAMPAIGN_COUNTED)[number];
export type CampaignFigures = Readonly<Record<CampaignFigure, number>>;

export type TimelineStep = CampaignFigures & { readonly at: Instant };

/** `clicks` counts every click, `recipients` each person once; neither includes machines. */
export type LinkFigures = { readonly url: string; readonly clicks: number; readonly recipients: number };

/** At most this many links are shown, the most clicked ones: a personal letter may have one for each recipient. */
export const LINKS_MAX = 1_000;

/** At most this many steps are shown, the first ones: later, little happens to a campaign. */
export const TIMELINE_STEPS_MAX = 1_000;

/** Reads `step` of GET /campaigns/{id}/timeline; missing or empty means `day`. */
export function parseTimelineStep(text: string | undefined): Result<Step> {
  const step = STEPS.find((known) => known === (text || "day"));
  return step === undefined ? invalid("`step` has to be `hour` or `day`.") : accept(step);
}

export type OutcomeFiguresStore = {
  /**
   * The links of a mailing, the most clicked first, then in the order of the letter. Links that nobody clicked are
   * included if all recipients get the same links.
   */
  links(mailing: number, isPersonal: boolean, max: number): Promise<LinkFigures[]>;
  /** The first and the last quarter of an hour in which something happened; null before the first message. */
  span(mailing: number): Promise<{ readonly from: Instant; readonly to: Instant } | null>;
  /** The figures between each instant and the next one, so one fewer than there are instants. */
  between(mailing: number, bounds: readonly Instant[]): Promise<CampaignFigures[]>;
};
