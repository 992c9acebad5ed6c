import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

/** Nodes that have ended are shown for this long. */
export const ENDED_SHOWN_MS = DAY_MS;
/** A node that starts again and again is a new one each time. */
export const NODES_SHOWN_MAX = 100;

/** A process that sends from a database that several share, or did. */
export type Node = {
  readonly number: number;
  /** The machine's. */
  readonly name: string;
  readonly version: string;
  readonly startedAt: Instant;
  readonly lastSeenAt: Instant;
  /** It may send now. */
  readonly isLive: boolean;
  /** Parts of mailings that it has taken on. */
  readonly slices: number;
  /** It is the process that was asked. */
  readonly isOwn: boolean;
};
