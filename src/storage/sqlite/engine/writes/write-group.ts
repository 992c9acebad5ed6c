/** Writes that share one transaction. Each has its own savepoint, so a write that throws undoes only itself. */
import type { Database } from "bun:sqlite";
import type { Clock } from "#core/time/clock.ts";
import type { StorageFaults } from "#storage/common/engine/storage-faults.ts";
import { savepoints } from "./savepoint.ts";
import { beginWhenFree } from "./write-lock.ts";

/** A write that waits for its turn. */
export type Job = {
  /** Does the work and returns a function that answers the caller, to be called when it is durable. */
  run(): () => void;
  reject(error: unknown): void;
};

/** No write begins in a group that has taken this long, so that reads and sockets get their turn. */
const GROUP_MS = 10;

export function writeGroup(sqlite: Database, clock: Clock, faults: Pick<StorageFaults, "of">) {
  const begin = sqlite.prepare("BEGIN IMMEDIATE");
  const commit = sqlite.prepare("COMMIT");
  const rollback = sqlite.prepare("ROLLBACK");
  const within = savepoints(sqlite, "write");

  const refusal = (job: Job, error: unknown): (() => void) => {
    const reason = faults.of(error);
    return () => job.reject(reason);
  };

  /** Throws if the whole transaction has ended, as on a full disk. Then the whole group fails. */
  const runOne = (job: Job): (() => void) => {
    const attempted = within(() => job.run());
    return attempted.ok ? attempted.value : refusal(job, attempted.error);
  };

  /** A write that is alone in its transaction needs no savepoint: undoing the transaction undoes it. */
  const runAlone = (job: Job): (() => void) => {
    let answer: () => void;
    try {
      answer = job.run();
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      rollback.run();
      return refusal(job, error);
    }
    commit.run();
    return answer;
  };

  const runTogether = (jobs: readonly Job[]): (() => void)[] => {
    const answers: (() => void)[] = [];
    const untilMs = clock.monotonicMs() + GROUP_MS;
    for (const job of jobs) {
      answers.push(runOne(job));
      if (clock.monotonicMs() >= untilMs) break;
    }
    commit.run();
    return answers;
  };

  return {
    /** Waits for the write lock, at most this long. */
    begin: (waitMs: number): Promise<void> => beginWhenFree(() => void begin.run(), waitMs),

    /**
     * Runs as many as there is time for, in order, and commits.
     * @returns one answer for each job that has run
     */
    run: (jobs: readonly Job[]): (() => void)[] =>
      jobs.length === 1 ? jobs.map(runAlone) : runTogether(jobs),

    /** After an error: nothing of the group is kept. */
    undo(): void {
      if (sqlite.inTransaction) rollback.run();
    },
  };
}
