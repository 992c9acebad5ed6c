import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { allowed, initialThrottle, onAccepted, onTrouble, type Throttle } from "#mail/smtp/relay/throttle.ts";

/** How long a domain gets nothing: after its first complaint about our speed, and after each further one. */
const HOLDS_MS = [1, 2, 4, 8, 15, 30].map((minutes) => minutes * MINUTE_MS);
/** Each hold is longer by up to this share, at random: domains that complained together must not all start together. */
const SPREAD = 0.4;
export const LONGEST_HOLD_MS = Math.max(...HOLDS_MS) * (1 + SPREAD);
const CLEAN_MS = MINUTE_MS;

/**
 * The state of a domain whose servers say that our mail comes too fast.
 *
 *   held --its time is over--> slow --a minute of accepted mail--> less slow --> free (null)
 *    ^                          |
 *    '--- it complains again ---'   each hold in a row is longer
 *
 * While it is slow, its connections and messages a second are limited in the same way as a relay's
 * (`mail/smtp/relay/throttle.ts`).
 */
export type Slowing = {
  readonly since: Instant;
  /** Holds in a row, without a minute of accepted mail between them. */
  readonly holds: number;
  readonly heldUntil: Instant;
  readonly holdMs: number;
  readonly throttle: Throttle;
};

export type Pace = {
  readonly connections: number;
  readonly spacingMs: number;
  readonly heldUntil: Instant | null;
};

type Complaint = {
  readonly now: Instant;
  /** How many connections are in use. */
  readonly connections: number;
  /** From 0 to 1. */
  readonly jitter: number;
};

/** A complaint during a hold is about a message that was sent before the hold, so it changes nothing. */
export function onComplaint(slowing: Slowing | null, { now, connections, jitter }: Complaint): Slowing {
  if (slowing !== null && isHeld(slowing, now)) return slowing;
  const holds = slowing?.holds ?? 0;
  const leastMs = HOLDS_MS[Math.min(holds, HOLDS_MS.length - 1)] ?? MINUTE_MS;
  const holdMs = Math.round(leastMs * (1 + SPREAD * jitter));
  const throttle = slowing?.throttle ?? initialThrottle(Math.max(2, connections));
  return {
    since: slowing?.since ?? now,
    holds: holds + 1,
    heldUntil: now + holdMs,
    holdMs,
    throttle: onTrouble(throttle, "rate", now),
  };
}

/** A message was accepted. Null: the domain is free again. */
export function onTaken(slowing: Slowing, now: Instant): Slowing | null {
  if (isHeld(slowing, now)) return slowing;
  const { cleanSince } = slowing.throttle;
  const isClean = cleanSince !== null && now - cleanSince >= CLEAN_MS;
  const throttle = onAccepted(slowing.throttle, now);
  if (throttle.perSecond === null && throttle.connections >= throttle.maxConnections) return null;
  return { ...slowing, throttle, holds: isClean ? 0 : slowing.holds };
}

export function paceOf(slowing: Slowing, now: Instant): Pace {
  const { connections, spacingMs, pausedUntil } = allowed(slowing.throttle, now);
  return { connections, spacingMs, heldUntil: isHeld(slowing, now) ? slowing.heldUntil : pausedUntil };
}

/** A hold that lasts longer than intended ends at once: the clock was set back. */
const isHeld = ({ heldUntil, holdMs }: Slowing, now: Instant): boolean =>
  now < heldUntil && heldUntil - now <= holdMs;
