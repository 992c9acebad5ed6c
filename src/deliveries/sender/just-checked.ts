import type { Instant } from "#core/time/clock.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";

/**
 * For this long after a row was read, it is not checked again before a connection is used for it. In any case it is
 * checked once more in the transaction that claims its dot.
 */
const CHECK_HOLDS_MS = 1_000;

/** A check that lies ahead was made before the clock was set back: nobody knows how long ago. */
export const wasJustChecked = ({ checkedAt }: OwedMessage, now: Instant): boolean =>
  checkedAt !== null && now >= checkedAt && now - checkedAt < CHECK_HOLDS_MS;

/** Drops what was read with the row if that was too long ago. */
export const asOf = (now: Instant, message: OwedMessage): OwedMessage => {
  if (message.person === undefined || wasJustChecked(message, now)) return message;
  const { person: _, ...rest } = message;
  return rest;
};
