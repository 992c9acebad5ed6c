import { refuse, type Refusal } from "#core/errors/errors.ts";

/**
 * The daily cap counts campaign mail; the monthly limit counts all mail. Both use calendar periods of the
 * workspace's zone.
 */
export type QuotaPeriod = "day" | "month";

export type Quota = {
  readonly period: QuotaPeriod;
  /** The name of the period as in `localTime` (`2026-11-21`, `2026-11`), for the message. */
  readonly periodKey: string;
  /** Messages about to be sent. */
  readonly wanted: number;
  /** Messages already counted in this period. */
  readonly used: number;
  /** The maximum of a period; `null` means no limit. */
  readonly limit: number | null;
};

const WORDS = {
  day: { code: "VALIDATION_ERROR", limit: "daily cap", setting: "dailyCap", next: "tomorrow" },
  month: { code: "QUOTA_EXCEEDED", limit: "monthly limit", setting: "monthlyLimit", next: "next month" },
} as const;

/**
 * Whether a whole send fits into the rest of a day or month: nothing is sent in part. `null` means yes. The
 * refusal is `VALIDATION_ERROR` for the day and `QUOTA_EXCEEDED` for the month (docs/contract.md "Errors"). A
 * send of no messages always fits, even if the limit was lowered below what is used already.
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
