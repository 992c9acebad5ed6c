/**
 * Makes commits durable, and records whether that worked.
 *
 * The flush is the slow part, so it runs outside the event loop. SQLite commits into its log without a flush
 * (synchronous=NORMAL), and the log is flushed before anybody is answered (wal-flush.ts). Together they give the
 * same guarantee as synchronous=FULL. Commits that are not flushed yet can already be read. A transaction that
 * changed nothing needs no flush.
 *
 * After a failed flush nobody can say what is on the disk (docs/failure-catalogue.md "D-23"). So nothing more may
 * be written until the process is restarted.
 *
 * While the database's files are not at their names, nothing is written either (files-in-place.ts).
 */
import { asError } from "#core/errors/thrown.ts";
import type { Database } from "bun:sqlite";
import { changesSince } from "#storage/sqlite/engine/changes-since.ts";
import type { StorageFaults } from "#storage/common/engine/storage-faults.ts";

export type DurableCommits = ReturnType<typeof durableCommits>;

export function durableCommits(
  sqlite: Database,
  { flush, checkFiles }: { flush(): Promise<void>; checkFiles(): void },
  faults: Pick<StorageFaults, "writeFailed">,
) {
  const listeners: (() => void)[] = [];
  const isChanged = changesSince(sqlite);
  const loss = Promise.withResolvers<Error>();
  let lost: Error | null = null;
  let fault: Error | null = null;
  let commits = 0;

  const flushed = async (): Promise<void> => {
    try {
      await flush();
    } catch (error) {
      lost = asError(error);
      loss.resolve(lost);
      throw error;
    }
  };

  return {
    /** @throws the error of a flush that failed, or why nothing can be kept now */
    checkDisk(): void {
      if (lost !== null) throw lost;
      checkFiles();
    },

    /** Call it after COMMIT. When the commit is on the disk, it resolves with a function that calls the listeners. */
    async settle(): Promise<() => void> {
      const hasChanged = isChanged();
      if (hasChanged) await flushed();
      fault = null;
      commits++;
      return () => {
        if (hasChanged) for (const listener of listeners) listener();
      };
    },

    /** Remembers that a commit failed. Returns the error for those who wait for it. */
    failed(error: unknown): Error {
      fault = faults.writeFailed(error);
      return fault;
    },

    onCommit: (listener: () => void) => void listeners.push(listener),
    get fault() {
      return fault;
    },
    get commits() {
      return commits;
    },
    lost: loss.promise,
  };
}
