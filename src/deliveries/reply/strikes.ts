import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

/**
 * A refusal that looks permanent but does not yet prove that nobody reads this address. These are what the relay itself
 * answers; reports that come by mail later are counted by days (`bounces/effect.ts`).
 */
export type StrikeKind = "disabled" | "full" | "unknown_permanent" | "host_unknown" | "expired";

/** The strikes of one address and one kind since its last accepted mail; `null` when there are none. */
export type StrikeHistory = {
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
} | null;

type Proof = { readonly strikes: number; readonly overMs: number };

/**
 * How many strikes are proof. `expired` is never proof: a report "gave up after days" may mean a dead mailbox, or a
 * relay that had no network, and then it would hit every address at once.
 */
const PROOF: Readonly<Record<StrikeKind, Proof | null>> = {
  disabled: { strikes: 2, overMs: 3 * DAY_MS },
  full: { strikes: 5, overMs: 30 * DAY_MS },
  unknown_permanent: { strikes: 3, overMs: 7 * DAY_MS },
  host_unknown: { strikes: 2, overMs: 3 * DAY_MS },
  expired: null,
};

/**
 * Counts one strike and says whether to treat the address as a hard bounce now. A strike within 24 hours of
 * the last counted one belongs to the same event and is not counted again. "Over" is the time from the first
 * strike to `now`. Each kind has a history of its own, and a success clears them all: after an accepted mail
 * the caller stores `null`, so only strikes without a success between them add up. A clock that went
 * backwards adds nothing.
 */
export function decideStrike(
  kind: StrikeKind,
  history: StrikeHistory,
  now: Instant,
): { history: StrikeHistory; hard: boolean } {
  const counted = countStrike(history, now);
  const proof = PROOF[kind];
  const hard = proof !== null && counted.count >= proof.strikes && now - counted.firstAt >= proof.overMs;
  return { history: counted, hard };
}

function countStrike(history: StrikeHistory, now: Instant): NonNullable<StrikeHistory> {
  if (history === null) return { count: 1, firstAt: now, lastAt: now };
  if (now - history.lastAt < DAY_MS) return history;
  return { count: history.count + 1, firstAt: history.firstAt, lastAt: now };
}
