/**
 * One writer, grouped commits.
 *
 * Writes that arrive while the group before them is being flushed run together inside one `BEGIN IMMEDIATE …
 * COMMIT`, each in a savepoint of its own where there are several. They are answered when they are on the
 * disk: what was acknowledged survives a power cut, and many writes cost one flush. A write that throws
 * undoes only itself. If the commit itself fails (disk full, I/O error), every write of the group is rejected
 * and none is kept.
 *
 * The flush is the slow part and waits outside the event loop. SQLite commits into its log without a flush
 * (synchronous=NORMAL), and the queue flushes the log before it answers (wal-flush.ts). Together they promise
 * what synchronous=FULL does. Commits that are not flushed yet can already be read. A group that changed
 * nothing has nothing to flush.
 *
 * After a failed flush nobody can say what the disk holds (docs/failure-catalogue.md "D-23"): the group is
 * rejected, and so is every later write, until the process starts again.
 */
import type { Database } from "bun:sqlite";
import { sleep, type Clock } from "#core/clock.ts";
import { StorageError } from "#core/storage-error.ts";
import { changesSince } from "./changes-since.ts";
import type { StorageFaults } from "./storage-faults.ts";

type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

export type WriteQueue = {
  /**
   * Runs `work`, synchronous and free of I/O other than SQL, in a transaction; resolves once it is durable.
   */
  write<T>(work: () => NotPromise<T>): Promise<T>;
  /** Runs `work` between two groups: this process writes nothing until it resolves. */
  pause(work: () => Promise<void>): Promise<void>;
  /**
   * Runs a transaction of another connection between two groups, and resolves once it is durable; nothing is written by this process
   * meanwhile.
   */
  aside<T>(transaction: () => Promise<T>): Promise<T>;
  /** Resolves when everything queued so far has been answered, also with an error. */
  drain(): Promise<void>;
  /**
   * Drains, and refuses every later write. Without this, a prepared statement would still run on a closed
   * database.
   */
  end(): Promise<void>;
  /** The error of the last group that could not be committed; null again after one that could. */
  readonly fault: Error | null;
  /** How long to wait for another process's transaction before the writes that need the lock are rejected. */
  lockWaitMs: number;
  /** Calls the listener after every group that changed something, once it is durable. */
  onCommit(listener: () => void): void;
  /** How many groups were committed. */
  readonly commits: number;
  /** Resolves when a flush has failed, and never otherwise: the process must then start again. */
  readonly lost: Promise<Error>;
};

/** How commits become durable. */
export type Durability = {
  readonly clock: Clock;
  /** Resolves when everything committed before the call is on the disk. */
  flush(): Promise<void>;
  /** Called for groups that could not be committed. */
  readonly faults?: Pick<StorageFaults, "of" | "writeFailed">;
};

type Job = { run(): unknown; resolve(value: never): void; reject(error: unknown): void };
type Answer = { job: Job; value: unknown } | { job: Job; error: unknown };

/**
 * At most this many writes share a commit, and none begins after this time, so that reads and sockets get
 * their turn in between.
 */
const GROUP_MAX = 512;
const GROUP_MS = 10;

/**
 * How long to wait for another process's transaction inside SQLite, which blocks the event loop; and how long
 * to pause before the next try, which does not.
 */
const LOCK_BLOCKS_MS = 2;
const LOCK_RETRY_MS = 2;
const LOCK_WAIT_MS = 5_000;

export function writeQueue(sqlite: Database, { clock, flush, faults = AS_IT_IS }: Durability): WriteQueue {
  let waiting: Job[] = [];
  let pauses: (() => Promise<void>)[] = [];
  let atWork = false;
  let isEnded = false;
  let fault: Error | null = null;
  let commits = 0;
  const listeners: (() => void)[] = [];
  let lost: Error | null = null;
  const loss = Promise.withResolvers<Error>();
  const isChanged = changesSince(sqlite);
  const begin = sqlite.prepare("BEGIN IMMEDIATE");
  const commit = sqlite.prepare("COMMIT");
  const rollback = sqlite.prepare("ROLLBACK");
  const savepoint = sqlite.prepare("SAVEPOINT write");
  const release = sqlite.prepare("RELEASE write");
  const undo = sqlite.prepare("ROLLBACK TO write");
  // Waiting for the lock inside SQLite would stop the event loop.
  sqlite.run(`PRAGMA busy_timeout = ${LOCK_BLOCKS_MS}`);

  const beginOrBusy = (): unknown => {
    try {
      begin.run();
      return null;
    } catch (error) {
      return error;
    }
  };

  /** The write lock, which another process may hold for a moment. */
  const beginInTurn = async (): Promise<void> => {
    const untilMs = clock.monotonicMs() + queue.lockWaitMs;
    for (let error = beginOrBusy(); error !== null; error = beginOrBusy()) {
      if (!isBusy(error) || clock.monotonicMs() >= untilMs) throw error;
      await sleep(clock, LOCK_RETRY_MS);
    }
  };

  const runOne = (job: Job): Answer => {
    savepoint.run();
    try {
      const value = job.run();
      release.run();
      return { job, value };
    } catch (error) {
      // A full disk may already have ended the whole transaction; then the group fails below.
      if (!sqlite.inTransaction) throw error;
      undo.run();
      release.run();
      return { job, error: faults.of(error) };
    }
  };

  /** A write that is alone in its transaction needs no savepoint: undoing one undoes the other. */
  const runAlone = (job: Job): Answer => {
    let value: unknown;
    try {
      value = job.run();
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      rollback.run();
      return { job, error: faults.of(error) };
    }
    commit.run();
    return { job, value };
  };

  /** Runs as many as there is time for. */
  const runTogether = (jobs: readonly Job[]): Answer[] => {
    const answers: Answer[] = [];
    const untilMs = clock.monotonicMs() + GROUP_MS;
    for (const job of jobs) {
      answers.push(runOne(job));
      if (clock.monotonicMs() >= untilMs) break;
    }
    commit.run();
    return answers;
  };

  const flushed = async (): Promise<void> => {
    try {
      await flush();
    } catch (error) {
      lost = error instanceof Error ? error : new Error(String(error));
      loss.resolve(lost);
      throw error;
    }
  };

  /** @returns the jobs that there was no time for */
  const runGroup = async (jobs: readonly Job[]): Promise<readonly Job[]> => {
    try {
      if (lost !== null) throw lost;
      await beginInTurn();
      const answers = jobs.length === 1 ? jobs.map(runAlone) : runTogether(jobs);
      const hasChanged = isChanged();
      if (hasChanged) await flushed();
      fault = null;
      commits++;
      for (const answer of answers) {
        if ("error" in answer) answer.job.reject(answer.error);
        else answer.job.resolve(answer.value as never);
      }
      if (hasChanged) for (const listener of listeners) listener();
      return jobs.slice(answers.length);
    } catch (error) {
      if (sqlite.inTransaction) rollback.run();
      fault = faults.writeFailed(error);
      for (const job of jobs) job.reject(fault);
      return [];
    }
  };

  const workOff = async (): Promise<void> => {
    atWork = true;
    while (waiting.length + pauses.length > 0) {
      const due = pauses;
      pauses = [];
      for (const pause of due) await pause();
      // After the sockets that are readable now were read, so that their writes share the commit.
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      const left = group.length > 0 ? await runGroup(group) : [];
      if (left.length > 0) waiting = [...left, ...waiting];
    }
    atWork = false;
  };

  const goOn = (): void => {
    if (!atWork) void workOff();
  };

  const write = <T>(work: () => NotPromise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (isEnded) return reject(new Error(CLOSED));
      waiting.push({ run: work, resolve, reject });
      goOn();
    });

  const aside = async <T>(transaction: () => Promise<T>): Promise<T> => {
    try {
      if (lost !== null) throw lost;
      const value = await transaction();
      const hasChanged = isChanged();
      if (hasChanged) await flushed();
      fault = null;
      commits++;
      if (hasChanged) for (const listener of listeners) listener();
      return value;
    } catch (error) {
      if (faults.of(error) instanceof StorageError) throw (fault = faults.writeFailed(error));
      throw error;
    }
  };

  const drain = (): Promise<void> => write(() => undefined).catch(() => undefined);

  const queue = {
    write,
    lockWaitMs: LOCK_WAIT_MS,
    pause: (work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        pauses.push(() => work().then(resolve, reject));
        goOn();
      }),
    async aside<T>(transaction: () => Promise<T>): Promise<T> {
      if (isEnded) throw new Error(CLOSED);
      const done = Promise.withResolvers<T>();
      pauses.push(() => aside(transaction).then(done.resolve, done.reject));
      goOn();
      return await done.promise;
    },
    drain,
    onCommit: (listener: () => void) => void listeners.push(listener),
    end() {
      const answered = drain();
      isEnded = true;
      return answered;
    },
    get fault() {
      return fault;
    },
    get commits() {
      return commits;
    },
    lost: loss.promise,
  };
  return queue;
}

const CLOSED = "The database is closed.";

const AS_IT_IS = {
  of: (error: unknown) => error,
  writeFailed: (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
};

export const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
