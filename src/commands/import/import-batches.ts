import { sleep, type Clock } from "#core/clock.ts";

/**
 * How a server beside the import gets its turn: its write queue asks for the lock again every few milliseconds (see
 * storage/sqlite/engine/write-queue.ts), and a pause holds at least one of these.
 */
const TRANSACTION_MS = 30;
const PAUSE_MS = 6;
const ROWS_MAX = 5_000;
const ROWS_FIRST = 50;

/**
 * Hands rows to `write` in batches that each take about `TRANSACTION_MS`, whatever the machine: a slow one makes the next one smaller.
 * Reading the next rows is part of the pause.
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
    /** Nothing to wait for while the batch has room. */
    add(row: T): Promise<void> | null {
      waiting.push(row);
      return waiting.length < size ? null : flush();
    },
    flush,
  };
}

/** Grows by half at most: one quick commit says little. */
function nextSize(size: number, tookMs: number): number {
  const fitting = Math.floor((size * TRANSACTION_MS) / Math.max(tookMs, 0.1));
  return Math.max(1, Math.min(fitting, Math.ceil(size * 1.5), ROWS_MAX));
}
