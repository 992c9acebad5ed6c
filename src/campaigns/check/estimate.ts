import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import { dayStart, localTime } from "#workspaces/local-time.ts";
import { warmUpLimit, type WarmUp } from "#workspaces/warm-up.ts";

/** What decides how long a send takes. */
export type Estimate = {
  readonly recipients: number;
  /** Messages a second. */
  readonly pace: number;
  readonly now: Instant;
  readonly warmUp: WarmUp | null;
  readonly timezone: string;
  /** What the workspace's campaigns have sent today. */
  readonly sentToday: number;
  /** How many recipients have an address in each limited group of domains, and what went there within the last hour. */
  readonly limits: readonly {
    readonly recipients: number;
    readonly perHour: number;
    readonly sentInHour: number;
  }[];
};

/** About how long the send takes: the longest time that its pace, a warm-up or its domains' limits need. */
export function estimatedSeconds(estimate: Estimate): number {
  const { recipients, pace, limits } = estimate;
  const hours = limits.map(({ recipients: n, perHour, sentInHour }) =>
    Math.max(0, Math.ceil((n + Math.min(sentInHour, perHour)) / perHour) - 1),
  );
  const limitedMs = Math.max(0, ...hours) * HOUR_MS;
  return Math.ceil(Math.max(recipients / pace, limitedMs / 1000, warmingUpSeconds(estimate)));
}

/** Each day has its share; the last day's part goes out at the send's pace. */
function warmingUpSeconds({ recipients, pace, now, warmUp, timezone, sentToday }: Estimate): number {
  if (warmUp === null) return 0;
  let [left, at, used] = [recipients, now, sentToday];
  for (;;) {
    const limit = warmUpLimit(warmUp, localTime(at, timezone).day);
    const share = limit === null ? left : Math.max(0, limit - used);
    if (left <= share) return (at - now) / 1000 + left / pace;
    left -= share;
    used = 0;
    // The next day begins within 27 hours, even when the clocks change; never two days later.
    at = dayStart(dayStart(at, timezone) + DAY_MS + 3 * HOUR_MS, timezone);
  }
}
