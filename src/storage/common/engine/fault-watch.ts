import type { Clock } from "#core/time/clock.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Log } from "#log.ts";
import type { StorageFaults } from "./storage-faults.ts";

const PROBE_EVERY_MS = 1_000;

/**
 * For a server: logs once that the database cannot be written, probes it every second, and logs once that it works
 * again.
 */
export function watchFaults(
  { faults, probeWrite }: { readonly faults: StorageFaults; probeWrite(): Promise<void> },
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): { stop(): void } {
  let cancel = (): void => undefined;
  let isOver = false;

  const wellAgain = (sinceMs: number): void => {
    const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1_000);
    log.info("the database can be written again", { seconds });
  };
  const probeLater = (sinceMs: number): void => {
    if (isOver) return;
    cancel = clock.setTimer(PROBE_EVERY_MS, () => {
      // A request to /health may already have probed.
      const probed = faults.current === null ? Promise.resolve() : probeWrite();
      probed.then(
        () => wellAgain(sinceMs),
        () => probeLater(sinceMs),
      );
    });
  };

  faults.onFault = (fault) => {
    const isDamage = fault instanceof StorageError && fault.trouble === "damaged";
    const { cause = fault } = fault;
    log.error(fault instanceof StorageError ? fault.message : "The database cannot be written.", {
      reason: String(cause),
    });
    if (!isDamage) probeLater(clock.monotonicMs());
  };
  return {
    stop() {
      isOver = true;
      cancel();
      faults.onFault = () => undefined;
    },
  };
}
