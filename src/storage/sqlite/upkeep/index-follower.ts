import type { Clock } from "#core/clock.ts";
import type { Log } from "#log.ts";

/**
 * An index that is updated some time after its table, for many rows at once. Rows that are not in it yet are
 * found without it.
 */
export type LateIndex = {
  /** The things it finds, in the plural; for messages. */
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
 * While nothing is written and nothing is left to do, the only check is for new writes, and less often: other
 * processes write too.
 */
const IDLE_LOOK_MS = 1_000;
/** While new rows keep coming, an index is updated every five seconds. */
const LOOKS_MAX = 25;

/** For a server: keeps each index a little behind its table, and catches up when no new rows come. */
export function followIndexes(
  indexes: readonly LateIndex[],
  {
    clock,
    log,
    hasChanged,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    /**
     * Whether anything was written since the last call. Without this function, the indexes are looked at all
     * the time.
     */
    hasChanged?(): boolean;
  },
): { stop(): Promise<void> } {
  const followed = indexes.map((index) => ({
    index,
    looks: 0,
    work: null as Promise<void> | null,
    hasFailed: false,
  }));
  let cancel = (): void => undefined;

  const follow = (each: (typeof followed)[number]): void => {
    const { index } = each;
    const come = index.look();
    each.looks++;
    const isTime = come === 0 || each.looks >= LOOKS_MAX || index.behind >= index.behindMax;
    if (each.work !== null || index.behind === 0 || !isTime) return;
    each.looks = 0;
    each.work = index
      .catchUp()
      .then(
        () => (each.hasFailed = false),
        (error: unknown) => failed(each, error),
      )
      .then(() => void (each.work = null));
  };
  /** Logged once until it works again: a full disk may stay full for days. */
  const failed = (each: (typeof followed)[number], error: unknown): void => {
    if (!each.hasFailed) log.warn(`${each.index.finds} could not be indexed yet`, { error });
    each.hasFailed = true;
  };
  /** A damaged database or a failing disk may stop one look, but neither the process nor the next looks. */
  const followSafely = (each: (typeof followed)[number]): boolean => {
    try {
      follow(each);
      return each.work !== null || each.index.behind > 0;
    } catch (error) {
      failed(each, error);
      return true;
    }
  };
  let isBusy = true;
  const look = (): void => {
    const wasWritten = hasChanged === undefined || sees(hasChanged);
    if (isBusy || wasWritten) isBusy = followed.filter(followSafely).length > 0 || wasWritten;
    cancel = clock.setTimer(isBusy ? LOOK_EVERY_MS : IDLE_LOOK_MS, look);
  };

  look();
  return {
    async stop() {
      cancel();
      for (const { work } of followed) await work;
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
