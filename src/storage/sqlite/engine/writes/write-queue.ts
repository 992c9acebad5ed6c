/**
 * One writer, grouped commits.
 *
 * Writes that arrive while a group is being flushed run together as the next group: one `BEGIN IMMEDIATE ...
 * COMMIT`, in which each write has a savepoint (write-group.ts). They are answered when they are on the disk
 * (durable-commits.ts). So everything that was acknowledged survives a power cut, and many writes cost one flush.
 *
 * A write that throws undoes only itself. If the commit fails (disk full, I/O error), every write of the
 * group is rejected and none is kept.
 */
import type { Database } from "bun:sqlite";
import type { Clock } from "#core/time/clock.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { asError } from "#core/errors/thrown.ts";
import { durableCommits, type DurableCommits } from "./durable-commits.ts";
import type { StorageFaults } from "#storage/common/engine/storage-faults.ts";
import { writeGroup, type Job } from "./write-group.ts";
import { writeOrder } from "./write-order.ts";

type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

export type WriteQueue = {
  /**
   * Runs `work` in a transaction, and resolves when it is durable. `work` is synchronous and does no I/O except
   * SQL.
   */
  write<T>(work: () => NotPromise<T>): Promise<T>;
  /** Runs `work` between two groups. This process writes nothing until it resolves. */
  pause(work: () => Promise<void>): Promise<void>;
  /**
   * Runs a transaction of another connection between two groups, and resolves when it is durable. Until then
   * this process writes nothing else.
   */
  aside<T>(transaction: () => Promise<T>): Promise<T>;
  /** Resolves when everything that was queued has been answered, even with an error. */
  drain(): Promise<void>;
  /** Drains, and refuses every later write. Otherwise a prepared statement could still run on a closed database. */
  end(): Promise<void>;
  /** The error of the last group that could not be committed; null again after a group that could. */
  readonly fault: Error | null;
  /** How long to wait for another process's transaction before the writes that need the lock are rejected. */
  lockWaitMs: number;
  /** Calls the listener after every group that changed something, when it is durable. */
  onCommit(listener: () => void): void;
  /** How many groups were committed. */
  readonly commits: number;
  /** Resolves when a flush has failed, and never otherwise: the process must then restart. */
  readonly lost: Promise<Error>;
};

/** A write, and what to forget of it if it is not kept. */
export type Surrounded<W> = { readonly work: W; undone(): void };

/** How commits become durable. */
export type Durability = {
  readonly clock: Clock;
  /** Resolves when everything committed before the call is on the disk. */
  flush(): Promise<void>;
  /** Called before each group. @throws while nothing that is written could be kept */
  checkFiles?(): void;
  /** Adds to a write what belongs in the same transaction. Called when the write is queued. */
  around?<T>(work: () => T): Surrounded<() => T>;
  /** Called for groups that could not be committed. */
  readonly faults?: Pick<StorageFaults, "of" | "writeFailed">;
};

/**
 * How long SQLite itself waits for another process, which blocks the event loop; and how long the queue waits,
 * which does not.
 */
const LOCK_BLOCKS_MS = 2;
const LOCK_WAIT_MS = 5_000;

export function writeQueue(
  sqlite: Database,
  { clock, flush, checkFiles = unchecked, faults = AS_IT_IS, around = asItIs }: Durability,
): WriteQueue {
  const group = writeGroup(sqlite, clock, faults);
  const commits = durableCommits(sqlite, { flush, checkFiles }, faults);
  let isEnded = false;
  sqlite.run(`PRAGMA busy_timeout = ${LOCK_BLOCKS_MS}`);

  const order = writeOrder((jobs) => commitGroup(group, commits, jobs, queue.lockWaitMs));

  const write = <T>(work: () => NotPromise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (isEnded) return reject(new Error(CLOSED));
      // Here, because it depends on the caller: the work itself runs later, outside the caller's context.
      const surrounded = around(work);
      order.add({
        run: () => answerOf(surrounded.work(), resolve),
        reject(error) {
          surrounded.undone();
          reject(error);
        },
      });
    });

  const between = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => order.between(() => work().then(resolve, reject)));

  const drain = (): Promise<void> => write(() => undefined).catch(() => undefined);

  const queue = {
    write,
    lockWaitMs: LOCK_WAIT_MS,
    pause: between<void>,
    async aside<T>(transaction: () => Promise<T>): Promise<T> {
      if (isEnded) throw new Error(CLOSED);
      return await between(() => commitAside(commits, faults, transaction));
    },
    drain,
    end() {
      const answered = drain();
      isEnded = true;
      return answered;
    },
    onCommit: commits.onCommit,
    lost: commits.lost,
    get fault() {
      return commits.fault;
    },
    get commits() {
      return commits.commits;
    },
  };
  return queue;
}

/** @returns the jobs for which there was no time */
async function commitGroup(
  group: ReturnType<typeof writeGroup>,
  commits: DurableCommits,
  jobs: readonly Job[],
  lockWaitMs: number,
): Promise<readonly Job[]> {
  try {
    commits.checkDisk();
    await group.begin(lockWaitMs);
    const answers = group.run(jobs);
    const tellListeners = await commits.settle();
    for (const answer of answers) answer();
    tellListeners();
    return jobs.slice(answers.length);
  } catch (error) {
    group.undo();
    const fault = commits.failed(error);
    for (const job of jobs) job.reject(fault);
    return [];
  }
}

/** A refusal, for example, is an error of this transaction alone, and no fault of the database. */
async function commitAside<T>(
  commits: DurableCommits,
  faults: Pick<StorageFaults, "of">,
  transaction: () => Promise<T>,
): Promise<T> {
  try {
    commits.checkDisk();
    const value = await transaction();
    const tellListeners = await commits.settle();
    tellListeners();
    return value;
  } catch (error) {
    if (faults.of(error) instanceof StorageError) throw commits.failed(error);
    throw error;
  }
}

const answerOf =
  <T>(value: T, resolve: (value: T) => void) =>
  (): void =>
    resolve(value);

const CLOSED = "The database is closed.";

const asItIs = <T>(work: () => T): Surrounded<() => T> => ({ work, undone: () => undefined });

const unchecked = (): void => undefined;

const AS_IT_IS = {
  of: (error: unknown) => error,
  writeFailed: asError,
};
