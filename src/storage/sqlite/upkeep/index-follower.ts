import type { Clock } from "#core/clock.ts";
import type { Log } from "#log.ts";

/** An index that is written later than what it finds, for many at a time. What it does not have yet is found without it. */
export type LateIndex = {
  /** What it finds, in the plural. */
  readonly finds: string;
  /** How many have come since the last look. */
  look(): number;
  /** How many it does not have, as of the last look. */
  readonly behind: number;
  /** As far as it may fall behind. */
  readonly behindMax: number;
  /** Indexes everything there is at the time of the call, in writes that are short each. */
  catchUp(): Promise<void>;
};

const LOOK_EVERY_MS = 200;
/** Where nothing was written and nothing is left to do, only that is asked, and less often: other processes write too. */
const IDLE_LOOK_MS = 1_000;
/** While more keep coming an index follows every five seconds. */
const LOOKS_MAX = 25;

/** For a server: each index follows at a distance, and catches up when nothing comes. */
export function followIndexes(
  indexes: readonly LateIndex[],
  {
    clock,
    log,
    hasChanged,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    /** Whether anything was written since it was asked last. Without it they look all the time. */
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
  /** Said once until it works again: a full disk may stay full for days. */
  const failed = (each: (typeof followed)[number], error: unknown): void => {
    if (!each.hasFailed) log.warn(`${each.index.finds} could not be indexed yet`, { error });
    each.hasFailed = true;
  };
  /** A damaged database or a failing disk may stop a look; it ends neither the process nor the looks after it. */
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

/** What cannot be asked may be so. */
function sees(hasChanged: () => boolean): boolean {
  try {
    return hasChanged();
  } catch {
    return true;
  }
}
