import { AppError } from "#core/errors/errors.ts";
import { errorCode } from "#core/errors/error-code.ts";
import type { Log } from "#log.ts";
import { CUT_OFF, newestFirst, tooMany, type Backup } from "./backup.ts";
import type { BackupFiles } from "./backup-files.ts";
import { NoRoomError } from "./room.ts";

export type MakerParts = {
  readonly files: BackupFiles;
  /**
   * Copies the database and checks the copy, which gets its final name last. Rejects soon after the signal.
   */
  copy(
    target: string,
    how: { readonly signal: AbortSignal; onProgress(share: number | null): void },
  ): Promise<unknown>;
  readonly log: Log;
};

/** The backup that is being made. */
type Running = Pick<Backup, "id" | "createdAt"> & {
  progress: number;
  readonly stop: AbortController;
  done: Promise<void>;
};

/** Makes backups, one at a time, and knows the progress of the one that is being made. */
export function backupMaker({ files, copy, log }: MakerParts) {
  let running: Running | null = null;
  /** The failures in this process. They are kept here because on a full disk no file could record them. */
  const failures = new Map<string, Backup>();

  const work = async (one: Running): Promise<void> => {
    try {
      const target = await files.targetOf(one);
      one.stop.signal.throwIfAborted();
      await copy(target, {
        signal: one.stop.signal,
        onProgress: (share) => void (one.progress = share ?? 1),
      });
    } catch (error) {
      const { id, createdAt } = one;
      const isStopped = one.stop.signal.aborted;
      if (!isStopped) log.error("a backup could not be made", { id, error });
      const says = isStopped ? CUT_OFF : whyNot(error);
      await files.markCutOff(one).catch(() => undefined);
      // Last, because a client that sees the failure may begin the next backup.
      failures.set(id, { id, createdAt, state: "FAILED", sizeBytes: null, progress: null, error: says });
      return;
    }
    // The new backup is complete, even if the old ones cannot be removed.
    await removeOld(files, one).catch((error: unknown) =>
      log.warn("an old backup could not be taken away", { error }),
    );
  };

  const stop = async (): Promise<void> => {
    running?.stop.abort();
    await running?.done;
  };

  const list = async (): Promise<Backup[]> => {
    const before = running;
    const found = await files.list();
    // A backup that began or ended during the listing looks cut off in the directory.
    const one = running ?? before;
    const isRunning = one !== null && !failures.has(one.id);
    return merged(found, [...failures.values(), ...(isRunning ? [asBackup(one)] : [])]);
  };

  const remove = async (one: Backup): Promise<void> => {
    failures.delete(one.id);
    await files.remove(one);
  };

  return {
    list,
    stop,
    remove,

    /** @param record writes the audit log, before the backup begins */
    async begin(one: Pick<Backup, "id" | "createdAt">, record: () => Promise<void>): Promise<Backup> {
      if (running !== null) throw isBusy();
      const next: Running = { ...one, progress: 0, stop: new AbortController(), done: Promise.resolve() };
      running = next;
      try {
        await record();
        // Earlier failures are listed until the next backup begins.
        for (const old of await files.list()) if (old.state === "FAILED") await remove(old);
        failures.clear();
      } catch (error) {
        running = null;
        throw error;
      }
      next.done = work(next).finally(() => void (running = null));
      return asBackup(next);
    },
  };
}

async function removeOld(files: BackupFiles, made: Pick<Backup, "id" | "createdAt">): Promise<void> {
  for (const old of tooMany(await files.list(), made)) await files.remove(old);
}

/**
 * Joins the two lists: what this process knows counts more than the directory, except for complete backups.
 * Newest first.
 */
function merged(found: readonly Backup[], known: readonly Backup[]): Backup[] {
  const whole = new Set(found.filter(({ state }) => state === "DONE").map(({ id }) => id));
  const better = known.filter(({ id, state }) => state === "RUNNING" || !whole.has(id));
  const others = found.filter(({ id }) => !better.some((one) => one.id === id));
  return [...others, ...better].toSorted(newestFirst);
}

const asBackup = ({ id, createdAt, progress }: Running): Backup => ({
  id,
  createdAt,
  progress,
  state: "RUNNING",
  sizeBytes: null,
  error: null,
});

/** For a person. The log has the error itself. */
function whyNot(error: unknown): string {
  if (error instanceof NoRoomError) {
    const { copyMib, spareMib, freeMib } = error.lack;
    return `There is no room for a backup: it needs ${copyMib + spareMib} MiB (${copyMib} for the copy, ${spareMib} to spare), and ${freeMib} MiB are free. Make room, or delete an old backup.`;
  }
  const text = error instanceof Error ? `${errorCode(error)} ${error.message}` : "";
  if (/SQLITE_FULL|ENOSPC|EDQUOT|disk is full/i.test(text))
    return "The disk is full: a backup takes as much room as the database. Make room, or delete an old backup.";
  if (/damaged|malformed/i.test(text))
    return "The copy did not pass its check, so the database may be damaged: run `postrider doctor`.";
  return "The copy could not be made: the server's log says why.";
}

const isBusy = (): AppError =>
  new AppError("CONFLICT", "A backup is being made already. Wait until it is done.");
