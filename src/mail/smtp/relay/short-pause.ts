import type { Instant } from "#core/time/clock.ts";

const FIRST_MS = 250;
const MOST_MS = 2_000;
/** After this many pauses in a row, the next one is certainly not longer. */
const COUNTED_MAX = 10;

/**
 * How long urgent mail does not use a relay in trouble, even if that trouble holds nobody else. A caller has seconds,
 * so the pause is short: it doubles each time, up to two seconds, and ends with the first accepted message. If there
 * is another relay, that one is used meanwhile.
 */
export type ShortPause = { readonly until: Instant; readonly inARow: number };

export const noPause: ShortPause = { until: 0, inARow: 0 };

/**
 * When the relay may be asked again; null: now. A longer wait than any pause means the clock was set back.
 */
export const askAgainAt = ({ until }: ShortPause, now: Instant): Instant | null =>
  until > now && until - now <= MOST_MS ? until : null;

/** After trouble. Trouble during a pause comes from messages sent before the pause, and changes nothing. */
export function onTroubleMet(pause: ShortPause, now: Instant): ShortPause {
  if (pause.until > now) return pause;
  const pauseMs = Math.min(MOST_MS, FIRST_MS * 2 ** pause.inARow);
  return { until: now + pauseMs, inARow: Math.min(pause.inARow + 1, COUNTED_MAX) };
}
