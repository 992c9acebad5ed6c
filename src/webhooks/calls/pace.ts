import type { Instant } from "#core/time/clock.ts";

/** While mail goes out in bulk, this many requests begin in one period: 100 a second. */
const REQUESTS_BESIDE_MAIL = 10;
export const PACE_PERIOD_MS = 100;
/** No message waits longer than this for mail. */
const WAITS_AT_MOST_MS = 30_000;

/**
 * Mail goes first, because requests take time of the same event loop. While mail goes out, few requests begin,
 * unless messages have been due for half a minute.
 */
export class Pace {
  #periodEndsMs = 0;
  #begun = 0;

  /** True: one more request begins, and is counted. False: none before the period is over. */
  takes(asked: { isSending: boolean; dueAt: Instant; now: Instant; monotonicMs: number }): boolean {
    const { isSending, dueAt, now, monotonicMs } = asked;
    if (!isSending || now - dueAt >= WAITS_AT_MOST_MS) return true;
    if (monotonicMs >= this.#periodEndsMs) {
      this.#periodEndsMs = monotonicMs + PACE_PERIOD_MS;
      this.#begun = 0;
    }
    return this.#begun++ < REQUESTS_BESIDE_MAIL;
  }
}
