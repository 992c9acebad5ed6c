import type { Clock } from "#core/time/clock.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Log } from "#log.ts";

/** Runs again and again, with a pause after each time. Returns what ends it; long work asks whether it is over. */
export function repeat(
  work: (isOver: () => boolean) => Promise<unknown>,
  everyMs: number,
  clock: Clock,
  log: Log,
  firstMs = everyMs,
): () => Promise<void> {
  let isStopped = false;
  let cancel = (): void => undefined;
  let running: Promise<void> = Promise.resolve();
  const plan = (afterMs: number): void => {
    if (isStopped) return;
    cancel = clock.setTimer(afterMs, () => {
      running = work(() => isStopped)
        .then(
          () => undefined,
          (error: unknown) => {
            // Trouble of the database is logged elsewhere, once for all; the end of a lease by who waits for `lost`.
            if (!(error instanceof StorageError || error instanceof Fenced))
              log.error("a duty of this node failed; it is tried again", { error });
          },
        )
        .then(() => plan(everyMs));
    });
  };
  plan(firstMs);
  return async () => {
    isStopped = true;
    cancel();
    await running;
  };
}
