import type { Clock } from "#core/time/clock.ts";
import { Pending } from "./pending.ts";

/**
 * Waits for one thing at a time, with a time limit that can be replaced meanwhile. Every wait ends with `done`,
 * which says what went wrong, or null.
 */
export class TimedWait {
  readonly #end = new Pending<string | null>();
  #cancelLimit: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  /** Resolves with null if all went well, otherwise with what went wrong. */
  until(start: () => void): Promise<string | null> {
    const end = this.#end.ask();
    start();
    return end;
  }

  /** Ends the current wait, if there is one. */
  done(problem: string | null): void {
    this.#end.settle(problem);
  }

  /**
   * Replaces the running limit: `expired` is called after `limitMs`, unless the limit is replaced or removed
   * before.
   */
  limit(limitMs: number, expired: () => void): void {
    this.lift();
    this.#cancelLimit = this.clock.setTimer(limitMs, () => {
      this.#cancelLimit = null;
      expired();
    });
  }

  /** Removes the running limit. */
  lift(): void {
    this.#cancelLimit?.();
    this.#cancelLimit = null;
  }
}
