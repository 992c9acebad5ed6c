import type { Instant } from "#core/clock.ts";

const TRY_AFTER_MS = 60_000;
const TRY_AFTER_MAX_MS = 30 * 60_000;
/** One of so many connections is kept for the prompt lane, and always one. */
const PROMPT_SHARE = 5;

/**
 * How many connections a relay takes from us. *Unknown*: as many as the operator allows. A connection that is refused while
 * others of ours stand leads to *known*: so many as the others. From time to time one more is tried: refused, the next try
 * is twice as far off; taken, the number grows by one, up to what the operator allows.
 */
export type Room = {
  /** What the operator allows (`maxConnections`), both lanes together. It is never passed. */
  readonly most: number;
  readonly takes: number | null;
  readonly tryAt: Instant;
  readonly waitMs: number;
};

export const initialRoom = (most: number): Room => ({ most, takes: null, tryAt: 0, waitMs: TRY_AFTER_MS });

/** How many connections may stand now, the idle ones included. */
export function connectionsAllowed({ most, takes, tryAt, waitMs }: Room, now: Instant): number {
  if (takes === null) return most;
  // A longer wait than ours comes from a clock that was set back.
  const mayTry = now >= tryAt || tryAt - now > waitMs;
  return Math.min(most, mayTry ? takes + 1 : takes);
}

/** How many of `connections` campaigns may have. A single one is for both lanes. */
export function bulkShare(connections: number): number {
  return connections < 2 ? connections : connections - Math.max(1, Math.floor(connections / PROMPT_SHARE));
}

/** The relay refused one connection more than `others` of ours, at least one: those that stand or are being opened. */
export function onRefused(room: Room, refused: { others: number; wasTry: boolean }, now: Instant): Room {
  const { others, wasTry } = refused;
  const waitMs = wasTry ? Math.min(TRY_AFTER_MAX_MS, room.waitMs * 2) : room.waitMs;
  return { ...room, takes: Math.min(others, room.most), tryAt: now + waitMs, waitMs };
}

/** The one more that was tried took a message. */
export function onTaken(room: Room, now: Instant): Room {
  const takes = (room.takes ?? room.most) + 1;
  if (takes >= room.most) return initialRoom(room.most);
  return { ...room, takes, tryAt: now + TRY_AFTER_MS, waitMs: TRY_AFTER_MS };
}
