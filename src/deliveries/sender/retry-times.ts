import { HOUR_MS } from "#core/time/time.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

/**
 * A caller holds a request open, and its messages are tried for 10 s at the most (`transactional/dispatch.ts`). So its
 * pauses are short, whatever the refusing server asks for (docs/decisions.md "Transactional send").
 */
export const REQUEST_PAUSES_MS = [1_000, 2_000, 4_000] as const;

/** No retry is further ahead than this. If one is, the clock was wrong when it was written: it is due now. */
export const RETRY_AHEAD_MAX_MS = 24 * HOUR_MS;

/** How long after its first attempt a mail is still retried. A late campaign helps nobody. */
export const giveUpAfterMs: Readonly<Record<MailKind, number>> = {
  campaign: 24 * HOUR_MS,
  automation: 24 * HOUR_MS,
  transactional: 9_000,
  confirmation: 24 * HOUR_MS,
};
