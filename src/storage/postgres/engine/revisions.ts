import type { Clock } from "#core/time/clock.ts";
import type { Revision } from "#core/revision.ts";

/** How long a change of another node may stay unknown here. */
const FOREIGN_CHANGES_MS = 1_000;

export type Revisions = {
  readonly current: Revision;
  /** Runs a change of what is remembered under the revision. Whatever became of it, the next number is a new one. */
  changing<T>(change: () => Promise<T>): Promise<T>;
};

/**
 * The revision of data that every node may change. Nobody is told of the others' changes: the number is a new one
 * every second, so what is remembered is a second old at most.
 */
export function revisionsOf(clock: Pick<Clock, "monotonicMs">): Revisions {
  let own = 0;
  return {
    current: () => own + Math.floor(clock.monotonicMs() / FOREIGN_CHANGES_MS),
    async changing(change) {
      try {
        return await change();
      } finally {
        // After the commit: what was read before it is not valid after it.
        own++;
      }
    },
  };
}
