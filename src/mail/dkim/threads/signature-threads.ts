import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import { signInPool, type SignText } from "#mail/dkim/rsa-signature.ts";
import { failedThreads } from "#mail/threads/failed-threads.ts";
import { SignatureThread, type Asked } from "./signature-thread.ts";

export type Signatures = {
  readonly sign: SignText;
  /** Ends the threads. Later signatures are made in the pool. */
  close(): void;
};

/** Up to this many at once are signed in the pool: a thread would cost more memory than it saves time. */
const IN_POOL_MAX = 3;
/** A thread gets this many texts at a time: each message from a thread wakes the main thread once. */
const BATCH_MAX = 4;
/** One batch that is being signed, and one that waits in the thread. */
const BATCHES_MAX = 2;
const WORDS = {
  one: "a signature thread ended",
  tooMany: "signature threads end again and again: signing is slower until the next start",
};

/**
 * Signs in up to `most` threads of its own, if many texts are requested at once. The runtime's pool has as many
 * threads as the machine has cores, and flushes the database too. While a flush waits for the disk, its thread does
 * nothing else; and a flush waits for the signatures before it: nine times as long, with sixteen at once.
 *
 * A signature is the same wherever it is made, so a thread that fails costs nothing: the pool signs its texts.
 */
export function signatureThreads(
  most: number,
  { startThread, clock, log }: { startThread(): Worker; readonly clock: Clock; readonly log: Log },
): Signatures {
  const failed = failedThreads({ clock, log }, WORDS);
  let threads: SignatureThread[] = [];
  const waiting: Asked[] = [];
  const pool = countedPool();
  let isClosed = false;
  const startsNone = (): boolean => isClosed || failed.areGivenUp;

  const start = (): SignatureThread => {
    const thread = new SignatureThread({
      worker: startThread(),
      clock,
      answered: handOut,
      ended(reason, unsigned) {
        threads = threads.filter((other) => other !== thread);
        if (reason !== null) failed.add(reason);
        pool.signAll(unsigned);
        handOut();
      },
    });
    threads.push(thread);
    return thread;
  };

  /** The thread with the fewest batches. Null: every thread has all that it takes. */
  const freest = (): SignatureThread | null => {
    const free = threads.toSorted((a, b) => a.batches - b.batches)[0];
    if ((free === undefined || free.batches > 0) && threads.length < most) return start();
    return free !== undefined && free.batches < BATCHES_MAX ? free : null;
  };

  const handOut = (): void => {
    if (startsNone()) return pool.signAll(waiting.splice(0));
    while (waiting.length > 0) {
      const thread = freest();
      if (thread === null) return;
      thread.sign(waiting.splice(0, Math.min(BATCH_MAX, Math.ceil(waiting.length / most))));
    }
  };

  return {
    sign(text, key) {
      if (startsNone() || (threads.length === 0 && waiting.length === 0 && pool.atOnce < IN_POOL_MAX))
        return pool.sign(text, key);
      return new Promise((resolve, reject) => {
        // More texts may be requested in the same turn of the event loop.
        if (waiting.push({ text, key, resolve, reject }) === 1) setImmediate(handOut);
      });
    },
    close() {
      isClosed = true;
      for (const thread of threads) thread.end(null);
    },
  };
}

/** The runtime's pool, and how many texts it has. */
function countedPool() {
  let atOnce = 0;
  const sign: SignText = async (text, key) => {
    atOnce++;
    try {
      return await signInPool(text, key);
    } finally {
      atOnce--;
    }
  };
  return {
    sign,
    signAll(asked: readonly Asked[]): void {
      for (const { text, key, resolve, reject } of asked) void sign(text, key).then(resolve, reject);
    },
    get atOnce() {
      return atOnce;
    },
  };
}
