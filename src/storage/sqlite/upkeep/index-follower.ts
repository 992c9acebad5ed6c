import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";

/**
 * An index that is updated some time after its table, for many rows at once. Rows that are not in it yet are found
 * without the index.
 */
export type LateIndex = {
  /** What it finds, in the plural; for messages. */
  readonly finds: string;
  /** Looks for rows that are not in the index, and returns how many have come since the last look. */
  look(): number;
  /** How many rows were missing at the last look. */
  readonly behind: number;
  /** How many rows may be missing at most. */
  readonly behindMax: number;
  /** Indexes everything that exists at the time of the call, in short writes. */
  catchUp(): Promise<void>;
};

const LOOK_EVERY_MS = 200;
/**
 * If nothing is written and no work is left, only new writes are checked for, and less often: other processes write
 * too.
 */
const IDLE_LOOK_MS = 1_000;
/** While new rows keep coming, an index is updated every five seconds. */
const LOOKS_MAX = 25;

/** For a server: keeps each index slightly behind its table, and catches up when no new rows come. */
export function followIndexes(
  indexes: readonly LateIndex[],
  {
    clock,
    log,
    hasChanged,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    /** Whether anything was written since the last call. */
    hasChanged(): boolean;
  },
): { stop(): Promise<void> } {
  const followed = indexes.map((index) => followOne(index, log));
  let cancel = (): void => undefined;
  let isBusy = true;
  const look = (): void => {
    const wasWritten = sees(hasChanged);
    if (isBusy || wasWritten) isBusy = followed.filter((each) => each.look()).length > 0 || wasWritten;
    cancel = clock.setTimer(isBusy ? LOOK_EVERY_MS : IDLE_LOOK_MS, look);
  };

  look();
  return {
    async stop() {
      cancel();
      for (const each of followed) await each.settled();
    },
  };
}

function followOne(index: LateIndex, log: Log) {
  let looks = 0;
  let work: Promise<void> | null = null;
  let hasFailed = false;

  /** Logged once until it works again, because a full disk may stay full for days. */
  const failed = (error: unknown): void => {
    if (!hasFailed) log.warn(`${index.finds} could not be indexed yet`, { error });
    hasFailed = true;
  };
  const catchUp = async (): Promise<void> => {
    try {
      await index.catchUp();
      hasFailed = false;
    } catch (error) {
      failed(error);
    }
  };

  return {
    /**
     * Whether any work is left. A damaged database or a failing disk may stop one look, but neither the process nor
     * the next looks.
     */
    look(): boolean {
      try {
        const come = index.look();
        looks++;
        const isTime = come === 0 || looks >= LOOKS_MAX || index.behind >= index.behindMax;
        if (work === null && index.behind > 0 && isTime) {
          looks = 0;
          work = catchUp().finally(() => {
            work = null;
          });
        }
        return work !== null || index.behind > 0;
      } catch (error) {
        failed(error);
        return true;
      }
    },

    /** Resolves when the indexing in progress is done. */
    async settled(): Promise<void> {
      await work;
    },
  };
}

/** When the check fails, assume that something was written. */
function sees(hasChanged: () => boolean): boolean {
  try {
    return hasChanged();
  } catch {
    return true;
  }
}
