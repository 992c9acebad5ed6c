/**
 * What became of a campaign's mail, by link and by time. Counted when it happens, in the transactions that
 * write it. So no request has to read all recipients, however many there are.
 */
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { STEPS, type Step } from "#stats/steps.ts";

/**
 * Each counts distinct recipients, at the time of the first hit; `sent`: when the relay accepted the message.
 */
export const CAMPAIGN_FIGURES = ["sent", "opened", "clicked", "bounced", "unsubscribed"] as const;

export type CampaignFigure = (typeof CAMPAIGN_FIGURES)[number];
export type CampaignFigures = Readonly<Record<CampaignFigure, number>>;

export type TimelineStep = CampaignFigures & { readonly at: Instant };

/** `clicks` counts every click, `recipients` each person once; machines are in neither. */
export type LinkFigures = { readonly url: string; readonly clicks: number; readonly recipients: number };

/** This many links are shown, the most clicked ones: a personal letter may have one for each recipient. */
export const LINKS_MAX = 1_000;

/** This many steps are shown, the first ones: later, little happens to a campaign. */
export const TIMELINE_STEPS_MAX = 1_000;

/** Reads `step` of GET /campaigns/{id}/timeline; left out or empty, it is `day`. */
export function parseTimelineStep(text: string | undefined): Result<Step> {
  const step = STEPS.find((known) => known === (text || "day"));
  return step === undefined ? invalid("`step` has to be `hour` or `day`.") : accept(step);
}

export type OutcomeFiguresStore = {
  /**
   * The links of a mailing, the most clicked first, otherwise as they stand in the letter. Also those that nobody
   * clicked, where everybody gets the same ones.
   */
  links(mailing: number, isPersonal: boolean, max: number): Promise<LinkFigures[]>;
  /** The quarters of an hour in which something happened first and last; null before the first message. */
  span(mailing: number): Promise<{ readonly from: Instant; readonly to: Instant } | null>;
  /** The figures between each of the instants and the next one: one fewer than there are instants. */
  between(mailing: number, bounds: readonly Instant[]): Promise<CampaignFigures[]>;
};
