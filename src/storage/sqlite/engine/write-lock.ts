import { errorCode } from "#core/error-code.ts";
import { sleep, type Clock } from "#core/clock.ts";

const RETRY_MS = 2;

/**
 * Begins a transaction that writes. If another process has the write lock, this waits outside SQLite, so that
 * the event loop stays free.
 * @param begin runs BEGIN IMMEDIATE
 * @throws the error of `begin` if the lock is not free after `waitMs`
 */
export async function beginWhenFree(
  begin: () => void,
  { clock, waitMs }: { readonly clock: Clock; readonly waitMs: number },
): Promise<void> {
  const untilMs = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      return begin();
    } catch (error) {
      if (!isBusy(error) || clock.monotonicMs() >= untilMs) throw error;
    }
    await sleep(clock, RETRY_MS);
  }
}

/** Whether another connection holds the lock. */
export const isBusy = (error: unknown): boolean => errorCode(error).startsWith("SQLITE_BUSY");
