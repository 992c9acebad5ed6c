import type { Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Log } from "#log.ts";
import type { StorageFaults } from "./storage-faults.ts";

const PROBE_EVERY_MS = 1_000;
/** A fault that comes and goes, as where connections are short, would fill the log, and perhaps the disk. */
const SAID_AGAIN_AFTER_MS = MINUTE_MS;

/**
 * For a server: logs once that the database cannot be written, probes it every second, and logs once that it works
 * again. The same fault is logged once a minute; one that lasts is logged a minute later at most.
 */
export function watchFaults(
  { faults, probeWrite }: { readonly faults: StorageFaults; probeWrite(): Promise<void> },
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): { stop(): void } {
  let cancel = (): void => undefined;
  let isOver = false;
  let last = { text: "", atMs: -Infinity };

  const wellAgain = (sinceMs: number, isSaid: boolean): void => {
    if (!isSaid) return;
    const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1_000);
    log.info("the database can be written again", { seconds });
  };
  /** False where it was said within the last minute. */
  const say = (fault: Error): boolean => {
    const message = fault instanceof StorageError ? fault.message : "The database cannot be written.";
    const { cause = fault } = fault;
    const reason = String(cause);
    const [text, atMs] = [`${message} ${reason}`, clock.monotonicMs()];
    if (text === last.text && atMs - last.atMs < SAID_AGAIN_AFTER_MS) return false;
    last = { text, atMs };
    log.error(message, { reason });
    return true;
  };
  const probeLater = (fault: Error, sinceMs: number, isSaid: boolean): void => {
    if (isOver) return;
    cancel = clock.setTimer(PROBE_EVERY_MS, () => {
      // A request to /health may already have probed.
      const probed = faults.current === null ? Promise.resolve() : probeWrite();
      probed.then(
        () => wellAgain(sinceMs, isSaid),
        () => probeLater(fault, sinceMs, isSaid || say(fault)),
      );
    });
  };

  faults.onFault = (fault) => {
    const isDamage = fault instanceof StorageError && fault.trouble === "damaged";
    const isSaid = say(fault);
    if (!isDamage) probeLater(fault, clock.monotonicMs(), isSaid);
  };
  return {
    stop() {
      isOver = true;
      cancel();
      faults.onFault = () => undefined;
    },
  };
}
