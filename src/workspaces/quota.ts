import { refuse, type Refusal } from "#core/errors.ts";

/** The daily cap counts campaign mail, the monthly limit all of it; both in calendar periods of the workspace's own zone. */
export type QuotaPeriod = "day" | "month";

export type Quota = {
  readonly period: QuotaPeriod;
  /** The period as `localTime` names it (`2026-11-21`, `2026-11`), for the message. */
  readonly periodKey: string;
  /** Messages about to be sent. */
  readonly wanted: number;
  /** Messages counted in this period so far. */
  readonly used: number;
  /** The most a period may have; `null` is no limit. */
  readonly limit: number | null;
};

const WORDS = {
  day: { code: "VALIDATION_ERROR", limit: "daily cap", setting: "dailyCap", next: "tomorrow" },
  month: { code: "QUOTA_EXCEEDED", limit: "monthly limit", setting: "monthlyLimit", next: "next month" },
} as const;

/**
 * Whether a send fits what is left of a day or month, as a whole: nothing is sent in part. `null` is yes; the refusal is
 * `VALIDATION_ERROR` for the day and `QUOTA_EXCEEDED` for the month (docs/contract.md "Errors"). Who wants
 * nothing always fits, also where the limit was lowered below what is used already.
 */
export function checkQuota({ period, periodKey, wanted, used, limit }: Quota): Refusal | null {
  if (limit === null || wanted === 0 || used + wanted <= limit) return null;
  const words = WORDS[period];
  const left = Math.max(0, limit - used);
  return refuse(
    words.code,
    `This send of ${wanted} would pass the ${words.limit} of ${limit}: ${used} used in ${periodKey}, ${left} left. Send to fewer people, wait until ${words.next}, or raise ${words.setting}.`,
  ).refusal;
}
