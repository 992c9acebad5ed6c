import { errorCode } from "#core/errors/error-code.ts";
import { sleep, systemClock } from "#core/time/clock.ts";

const RETRY_MS = 2;

/**
 * Begins a transaction that writes. If another connection has the write lock, this waits outside SQLite, so that
 * the event loop stays free. It waits by the machine's clock, because the other connection belongs to another
 * thread or process, which uses that clock. With a test's clock that stands still, it would wait forever.
 * @param begin runs BEGIN IMMEDIATE
 * @throws the error of `begin` if the lock is not free after `waitMs`
 */
export async function beginWhenFree(begin: () => void, waitMs: number): Promise<void> {
  const untilMs = systemClock.monotonicMs() + waitMs;
  for (;;) {
    try {
      return begin();
    } catch (error) {
      if (!isBusy(error) || systemClock.monotonicMs() >= untilMs) throw error;
    }
    await sleep(systemClock, RETRY_MS);
  }
}

/** Whether another connection holds the lock. */
export const isBusy = (error: unknown): boolean => errorCode(error).startsWith("SQLITE_BUSY");
