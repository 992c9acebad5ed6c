import type { Instant } from "#core/time/clock.ts";

const TRY_AFTER_MS = 60_000;
const TRY_AFTER_MAX_MS = 30 * 60_000;
/**
 * How many of our connections a relay accepts. *Unknown*: as many as the operator allows. When the relay refuses a
 * connection while others of ours are open, the state becomes *known*: as many as those others. From time to time
 * one more is tried. If it is refused, the wait before the next try doubles. If it is accepted, the number grows by
 * one, up to the operator's limit.
 */
export type Room = {
  /** The operator's limit (`maxConnections`), for all mail together. It is never exceeded. */
  readonly most: number;
  readonly takes: number | null;
  readonly tryAt: Instant;
  readonly waitMs: number;
};

export const initialRoom = (most: number): Room => ({ most, takes: null, tryAt: 0, waitMs: TRY_AFTER_MS });

/** How many connections may be open now, including idle ones. */
export function connectionsAllowed({ most, takes, tryAt, waitMs }: Room, now: Instant): number {
  if (takes === null) return most;
  // A wait longer than the one that was set means the clock was set back.
  const mayTry = now >= tryAt || tryAt - now > waitMs;
  return Math.min(most, mayTry ? takes + 1 : takes);
}

/**
 * How many of `connections` bulk mail may use: all but one, which is reserved for more urgent mail (`urgency.ts`).
 * One is enough, because urgent mail also gets every connection that is given back, before a campaign does, and
 * each further idle connection slows campaigns down. A single connection serves all mail.
 */
export function bulkShare(connections: number): number {
  return Math.max(1, connections - 1);
}

/** The relay refused one connection in addition to `others` of ours, which are open or being opened (at least one). */
export function onRefused(room: Room, refused: { others: number; wasTry: boolean }, now: Instant): Room {
  const { others, wasTry } = refused;
  const waitMs = wasTry ? Math.min(TRY_AFTER_MAX_MS, room.waitMs * 2) : room.waitMs;
  return { ...room, takes: Math.min(others, room.most), tryAt: now + waitMs, waitMs };
}

/** The additional connection that was tried has taken a message. */
export function onTaken(room: Room, now: Instant): Room {
  const takes = (room.takes ?? room.most) + 1;
  if (takes >= room.most) return initialRoom(room.most);
  return { ...room, takes, tryAt: now + TRY_AFTER_MS, waitMs: TRY_AFTER_MS };
}
