import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

/** Nodes that have ended are shown for this long. */
export const ENDED_SHOWN_MS = DAY_MS;
/** A process that restarts again and again is a new node each time. */
export const NODES_SHOWN_MAX = 100;

/** A process that sends, or has sent, from a database that several processes share. */
export type Node = {
  readonly number: number;
  /** The name of its machine. */
  readonly name: string;
  readonly version: string;
  readonly startedAt: Instant;
  readonly lastSeenAt: Instant;
  /** Whether it may send now. */
  readonly isLive: boolean;
  /** How many parts of mailings it has taken. */
  readonly slices: number;
  /** Whether it is the process that answers this request. */
  readonly isOwn: boolean;
};
