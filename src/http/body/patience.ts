import type { Clock } from "#core/time/clock.ts";

type Wait = { readonly limitMs: number; readonly end: () => void; isOver: boolean; cancel: () => void };

const nothing = (): void => undefined;

/**
 * Time limits for reads that nearly always end at once. A read that is still going on after one turn of the
 * event loop gets a timer; the others need none, because a timer costs more than reading a short body.
 */
export class Patience {
  #begun: Wait[] = [];

  constructor(private readonly clock: Clock) {}

  /** As `reading`, or fails with `tooLong` when it takes longer than `limitMs`, and with `failed` when it fails. */
  within<T>(
    limitMs: number,
    reading: Promise<T>,
    { tooLong, failed }: { tooLong(): Error; failed(cause: unknown): Error },
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait: Wait = { limitMs, end: () => reject(tooLong()), isOver: false, cancel: nothing };
      const over = (): void => {
        wait.isOver = true;
        wait.cancel();
      };
      void reading.then(resolve, (cause: unknown) => reject(failed(cause))).then(over);
      if (this.#begun.push(wait) === 1) setImmediate(() => this.#startTimers());
    });
  }

  #startTimers(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const wait of begun) if (!wait.isOver) wait.cancel = this.clock.setTimer(wait.limitMs, wait.end);
  }
}
