import { sleep, type Clock } from "#core/time/clock.ts";

/**
 * How rows are written, so that others can write too. Weights are counted in contacts without anything
 * (`writeWeight`): rows with many tags or attributes make a batch with fewer rows.
 */
export type Pace = {
  /** How long one transaction should take, roughly. */
  readonly transactionMs: number;
  /** The shortest pause between two transactions, including the time to read the next rows. */
  readonly pauseMs: number;
  readonly weightMin: number;
  readonly weightMax: number;
};

/**
 * Beside a server, in another process: the server's write queue asks for the lock every few milliseconds (see
 * storage/sqlite/engine/writes/write-queue.ts), so each pause is long enough for it to get the lock.
 */
export const BESIDE_A_SERVER: Pace = { transactionMs: 30, pauseMs: 6, weightMin: 1, weightMax: 5_000 };

/**
 * Within a server, on the event loop that everything shares. There the time of a write includes the time in which
 * other work ran. So a batch has a minimum size: otherwise an import on a busy server would hardly advance.
 */
export const WITHIN_A_SERVER: Pace = { transactionMs: 15, pauseMs: 0, weightMin: 100, weightMax: 400 };

const WEIGHT_FIRST = 50;

/**
 * Passes rows to `write` in batches of about `transactionMs` each, on any machine: after a slow batch the next one
 * is smaller. No batch weighs more than `weightMax` plus its last row. The last call gets what is left, maybe
 * nothing.
 */
export function batches<T>(
  clock: Clock,
  { transactionMs, pauseMs, weightMin, weightMax }: Pace,
  write: (rows: readonly T[], isLast: boolean) => Promise<void>,
) {
  let waiting: T[] = [];
  let weight = 0;
  let size = Math.max(WEIGHT_FIRST, weightMin);
  let endedMs = Number.NEGATIVE_INFINITY;

  /** Grows by at most half, because one quick commit does not prove much. */
  const nextSize = (tookMs: number): number => {
    const fitting = Math.floor((size * transactionMs) / Math.max(tookMs, 0.1));
    return Math.max(weightMin, Math.min(fitting, Math.ceil(size * 1.5), weightMax));
  };

  const flush = async (isLast: boolean): Promise<void> => {
    const rows = waiting;
    const isFull = weight >= size;
    waiting = [];
    weight = 0;
    const leftMs = endedMs + pauseMs - clock.monotonicMs();
    if (leftMs > 0) await sleep(clock, leftMs);
    const startedMs = clock.monotonicMs();
    await write(rows, isLast);
    endedMs = clock.monotonicMs();
    if (isFull) size = nextSize(endedMs - startedMs);
  };

  return {
    /** Null, without waiting, while the batch has room. @param mayEnd whether a batch may end after this row */
    add(row: T, rowWeight: number, mayEnd = true): Promise<void> | null {
      waiting.push(row);
      weight += rowWeight;
      return mayEnd && weight >= size ? flush(false) : null;
    },
    end: (): Promise<void> => flush(true),
  };
}
