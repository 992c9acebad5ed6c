import type { Clock } from "#core/time/clock.ts";
import type { Revision } from "#core/revision.ts";

/** How long a change of another node may stay unknown here. */
const FOREIGN_CHANGES_MS = 1_000;

export type Revisions = {
  readonly current: Revision;
  /** Runs a change of data cached under the revision. Even if it fails, the next number is a new one. */
  changing<T>(change: () => Promise<T>): Promise<T>;
};

/**
 * The revision of data that every node may change. Nodes do not notify each other, so the number changes every
 * second, and cached data is at most a second old.
 */
export function revisionsOf(clock: Pick<Clock, "monotonicMs">): Revisions {
  let own = 0;
  return {
    current: () => own + Math.floor(clock.monotonicMs() / FOREIGN_CHANGES_MS),
    async changing(change) {
      try {
        return await change();
      } finally {
        // After the commit: what was read before it is no longer valid.
        own++;
      }
    },
  };
}
