import { edenGC, fullGC } from "bun:jsc";
import type { Clock } from "#core/time/clock.ts";
import { Fenced } from "#core/errors/fenced.ts";
import type { Random } from "#core/random.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { withoutRepeats, type Log } from "#log.ts";

/** Everything that comes from outside. It is passed in, so that tests choose their own time and randomness. */
export type World = { readonly clock: Clock; readonly random: Random; readonly log: Log };

/**
 * When the database cannot be written, this is logged once (storage/common/engine/fault-watch.ts), and not
 * again for everything that fails because of it. The same for the end of a node's lease (storage/postgres/run/heart.ts).
 */
export const faultsOnce = (log: Log): Log =>
  withoutRepeats(log, (error) => error instanceof StorageError || error instanceof Fenced);

/** The runtime's own collector, for work that leaves much garbage in a short time. */
export const COLLECTOR = { young: edenGC, all: fullGC };
