import type { Clock } from "#core/clock.ts";

/**
 * Waits for one thing at a time, under a time limit that can be replaced while waiting. Every wait ends: by
 * its own `done`, or by `end`, which also stops any running limit.
 */
export class TimedWait {
  #wake: ((problem: string | null) => void) | null = null;
  #cancelLimit: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  /**
   * Resolves with null when `done(null)` is called, otherwise with what went wrong. Later calls change
   * nothing.
   */
  until(start: () => void): Promise<string | null> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      start();
    });
  }

  /** Ends the current wait, if there is one. */
  done(problem: string | null): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.(problem);
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

  lift(): void {
    this.#cancelLimit?.();
    this.#cancelLimit = null;
  }
}
