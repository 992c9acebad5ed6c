import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Job } from "./write-group.ts";

/** At most this many writes share a commit. */
const GROUP_MAX = 512;

/**
 * Decides what is written next: first what must be alone, then a group of the waiting writes, in order of
 * arrival.
 * @param runGroup returns the jobs that it had no time for; they come first in the next group
 */
export function writeOrder(runGroup: (jobs: readonly Job[]) => Promise<readonly Job[]>) {
  let waiting: Job[] = [];
  let pauses: (() => Promise<void>)[] = [];
  let isAtWork = false;

  const workOff = async (): Promise<void> => {
    isAtWork = true;
    while (waiting.length + pauses.length > 0) {
      const due = pauses;
      pauses = [];
      for (const pause of due) await pause();
      // After all readable sockets were read, so that their writes share the commit.
      await nextLoopTurn();
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      const left = group.length > 0 ? await runGroup(group) : [];
      if (left.length > 0) waiting = [...left, ...waiting];
    }
    isAtWork = false;
  };

  const goOn = (): void => {
    if (!isAtWork) void workOff();
  };

  return {
    add(job: Job): void {
      waiting.push(job);
      goOn();
    },

    /** Runs `work` between two groups. It must not reject. */
    between(work: () => Promise<void>): void {
      pauses.push(work);
      goOn();
    },
  };
}
