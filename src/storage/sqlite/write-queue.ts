/**
 * One writer, grouped commits.
 *
 * Writes that arrive while the event loop is busy run together inside one `BEGIN IMMEDIATE … COMMIT` with
 * synchronous=FULL, each in a savepoint of its own, and are answered after the commit: what was acknowledged survives a
 * power cut, at the price of one fsync for many. A write that throws undoes only itself. If the commit itself fails
 * (disk full, I/O error), every write of the group is rejected and nothing of it is kept.
 */
import type { Database } from "bun:sqlite";

type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

export type WriteQueue = {
  /** Runs `work`, synchronous and free of I/O other than SQL, in a transaction; resolves once it is durable. */
  write<T>(work: () => NotPromise<T>): Promise<T>;
  /**
   * Like `write`, but lingers for a moment so that another write's commit serves it too: for what nobody waits for. Keeps
   * the order of calls with `write`.
   */
  writeAlong<T>(work: () => NotPromise<T>): Promise<T>;
  /** Resolves when everything queued so far has been answered, be it with an error. */
  drain(): Promise<void>;
  /** The error of the last group that could not be committed; null again after one that could. */
  readonly fault: Error | null;
};

type Job = { run(): unknown; resolve(value: never): void; reject(error: unknown): void };
type Answer = { job: Job; value: unknown } | { job: Job; error: unknown };

/** At most this many writes share a commit, so that reads and sockets get their turn in between. */
const GROUP_MAX = 512;

/** How many turns of the event loop a write lingers: a fraction of a millisecond when there is nothing else to do. */
const LINGER_TURNS = 40;

export function writeQueue(sqlite: Database): WriteQueue {
  let waiting: Job[] = [];
  let scheduled = false;
  let fault: Error | null = null;
  const begin = sqlite.prepare("BEGIN IMMEDIATE");
  const commit = sqlite.prepare("COMMIT");
  const rollback = sqlite.prepare("ROLLBACK");
  const savepoint = sqlite.prepare("SAVEPOINT write");
  const release = sqlite.prepare("RELEASE write");
  const undo = sqlite.prepare("ROLLBACK TO write");

  const runOne = (job: Job): Answer => {
    savepoint.run();
    try {
      const value = job.run();
      release.run();
      return { job, value };
    } catch (error) {
      // A full disk may have ended the whole transaction already; then the group fails below.
      if (!sqlite.inTransaction) throw error;
      undo.run();
      release.run();
      return { job, error };
    }
  };

  const runGroup = (jobs: Job[]): void => {
    try {
      begin.run();
      const answers = jobs.map(runOne);
      commit.run();
      fault = null;
      for (const answer of answers) {
        if ("error" in answer) answer.job.reject(answer.error);
        else answer.job.resolve(answer.value as never);
      }
    } catch (error) {
      if (isInTransaction(sqlite)) rollback.run();
      fault = error instanceof Error ? error : new Error(String(error));
      for (const job of jobs) job.reject(fault);
    }
  };

  const flush = (): void => {
    scheduled = false;
    const group = waiting.slice(0, GROUP_MAX);
    waiting = waiting.slice(GROUP_MAX);
    if (waiting.length > 0) schedule();
    if (group.length > 0) runGroup(group);
  };

  // setImmediate: after the sockets that are readable now have been read, so that their writes share the commit.
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  let lingering = false;
  const linger = (turnsLeft = LINGER_TURNS): void => {
    lingering = !scheduled && waiting.length > 0 && turnsLeft > 0;
    if (lingering) setImmediate(linger, turnsLeft - 1);
    else if (waiting.length > 0) schedule();
  };

  const enqueue = <T>(work: () => NotPromise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ run: work, resolve, reject });
    });

  const write = <T>(work: () => NotPromise<T>): Promise<T> => {
    const answer = enqueue(work);
    schedule();
    return answer;
  };

  return {
    write,
    writeAlong(work) {
      const answer = enqueue(work);
      if (!lingering) linger();
      return answer;
    },
    drain: () => write(() => undefined).catch(() => undefined),
    get fault() {
      return fault;
    },
  };
}

/** A straggler may write after the database was closed: it is refused like any other, and must not bring the process down. */
function isInTransaction(sqlite: Database): boolean {
  try {
    return sqlite.inTransaction;
  } catch {
    return false;
  }
}
