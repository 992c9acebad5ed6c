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
/** While more keep coming an index follows every five seconds. */
const LOOKS_MAX = 25;

/** For a server: each index follows at a distance, and catches up when nothing comes. */
export function followIndexes(
  indexes: readonly LateIndex[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
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
  const look = (): void => {
    cancel = clock.setTimer(LOOK_EVERY_MS, look);
    followed.forEach(follow);
  };

  look();
  return {
    async stop() {
      cancel();
      for (const { work } of followed) await work;
    },
  };
}
