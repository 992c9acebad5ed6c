/**
 * What a node does as long as it sends: it shows again and again that it is alive, looks which others are, and takes
 * over what those left that are not.
 */
import { MINUTE_MS } from "#core/time/time.ts";
import { Fenced, Moved } from "#core/errors/fenced.ts";
import { removeHiddenLists } from "#storage/postgres/lists/list-removal.ts";
import { foldCounts } from "#storage/postgres/upkeep/fold-counts.ts";
import {
  answerWatch,
  clockWatch,
  connectionWatch,
  leaseWatch,
  lockWatch,
  numberWatch,
  type WatchParts,
} from "./heart-watches.ts";
import { liesWhereItLay } from "./origin.ts";
import { repeat } from "./repeat.ts";

/** A lease outlives three beats that fail. */
const BEATS_A_LEASE = 5;
const SWEEPS_A_LEASE = 3;
const FOLD_EVERY_MS = 10_000;
/** Nobody sees what a node left of a list, so it may wait. Most removals have ended by themselves until then. */
const LISTS_EVERY_MS = 10 * MINUTE_MS;

export type Heart = {
  /** Resolves when this process must send nothing more, and start anew. */
  readonly lost: Promise<Error>;
  /** Gives back what the node had: others go on with it at once. */
  stop(): Promise<void>;
};

/** For a node that has joined. */
export function startHeart(parts: WatchParts): Heart {
  const { database, registry, clock, log } = parts;
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
  void registry.lost.then(lose);
  const beatMs = registry.leaseMs / BEATS_A_LEASE;
  const lease = leaseWatch(parts, beatMs);
  const numbers = numberWatch(parts);
  const watchClock = clockWatch(clock, log);

  const beat = async (): Promise<void> => {
    const askedAtMs = clock.monotonicMs();
    try {
      numbers.saw(await registry.beat(clock.now()));
    } catch (error) {
      if (error instanceof Fenced) lose(error);
      throw error;
    }
    lease.renewed(askedAtMs);
    const metAtMs = clock.monotonicMs();
    watchClock(await registry.meet(), metAtMs);
    if (!(await liesWhereItLay(database.apart))) lose(new Moved());
  };
  const sweep = async (): Promise<void> => {
    if (lease.wasJustOver()) return;
    const uncertain = await registry.sweep(clock.now());
    if (uncertain > 0)
      log.warn("another process ended while it sent: messages whose outcome is unknown are not sent again", {
        uncertain,
      });
  };
  const duties = [
    repeat(answerWatch(parts, lose), beatMs, clock, log),
    repeat(connectionWatch(parts, beatMs, lose), beatMs, clock, log),
    repeat(lockWatch(parts), beatMs, clock, log),
    repeat(beat, beatMs, clock, log),
    repeat(async () => lease.look(), beatMs, clock, log),
    repeat(sweep, registry.leaseMs / SWEEPS_A_LEASE, clock, log),
    // Beside the beat: a slow disk must not keep a node from renewing its lease.
    repeat(numbers.keep, beatMs, clock, log),
    repeat(() => foldCounts(database), FOLD_EVERY_MS, clock, log),
    repeat((isOver) => removeHiddenLists(database, isOver), LISTS_EVERY_MS, clock, log, 0),
  ];

  return {
    lost,
    async stop() {
      await Promise.all(duties.map((stop) => stop()));
      // If it cannot be written now, the lease ends by itself.
      await registry
        .leave(clock.now())
        .catch((error: unknown) => log.warn("the node could not say that it leaves", { error }));
    },
  };
}
