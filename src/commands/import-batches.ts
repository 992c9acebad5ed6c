import { sleep, type Clock } from "#core/clock.ts";

/** One transaction may hold a running server's writes up for about this long. */
const TRANSACTION_MS = 20;
/** The database commits at most 512 writes together; a batch must stay one of them, with its list. */
const ROWS_MAX = 500;
const ROWS_FIRST = 50;
/** Between two transactions, so that a server that waits gets its turn. */
const REST_MS = 2;

/**
 * Hands rows to `write` in batches that each take about `TRANSACTION_MS`, whatever the machine: a slow one makes the next one smaller.
 */
export function batches<T>(clock: Clock, write: (rows: readonly T[]) => Promise<void>) {
  let waiting: T[] = [];
  let size = ROWS_FIRST;

  const flush = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    const startedMs = clock.monotonicMs();
    await write(rows);
    const tookMs = clock.monotonicMs() - startedMs;
    if (rows.length >= size) size = nextSize(size, tookMs);
    await sleep(clock, REST_MS);
  };

  return {
    async add(row: T): Promise<void> {
      waiting.push(row);
      if (waiting.length >= size) await flush();
    },
    flush,
  };
}

/** Grows by half at most: one quick commit says little. */
function nextSize(size: number, tookMs: number): number {
  const fitting = Math.floor((size * TRANSACTION_MS) / Math.max(tookMs, 0.1));
  return Math.max(1, Math.min(fitting, Math.ceil(size * 1.5), ROWS_MAX));
}
