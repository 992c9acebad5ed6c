import { sleep, type Clock } from "#core/clock.ts";

/**
 * Lets a server write while an import runs. The server's write queue asks for the lock every few milliseconds
 * (see storage/sqlite/engine/write-queue.ts), so each pause between batches is long enough for it to get the
 * lock.
 */
const TRANSACTION_MS = 30;
const PAUSE_MS = 6;
const ROWS_MAX = 5_000;
const ROWS_FIRST = 50;

/**
 * Passes rows to `write` in batches of about `TRANSACTION_MS` each, on any machine: after a slow batch the
 * next one is smaller. Reading the next rows is part of the pause.
 */
export function batches<T>(clock: Clock, write: (rows: readonly T[]) => Promise<void>) {
  let waiting: T[] = [];
  let size = ROWS_FIRST;
  let endedMs = Number.NEGATIVE_INFINITY;

  const flush = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    const pauseMs = endedMs + PAUSE_MS - clock.monotonicMs();
    if (pauseMs > 0) await sleep(clock, pauseMs);
    const startedMs = clock.monotonicMs();
    await write(rows);
    endedMs = clock.monotonicMs();
    if (rows.length >= size) size = nextSize(size, endedMs - startedMs);
  };

  return {
    /** Null, without waiting, while the batch has room. */
    add(row: T): Promise<void> | null {
      waiting.push(row);
      return waiting.length < size ? null : flush();
    },
    flush,
  };
}

/** Grows by at most half, because one quick commit does not prove much. */
function nextSize(size: number, tookMs: number): number {
  const fitting = Math.floor((size * TRANSACTION_MS) / Math.max(tookMs, 0.1));
  return Math.max(1, Math.min(fitting, Math.ceil(size * 1.5), ROWS_MAX));
}
