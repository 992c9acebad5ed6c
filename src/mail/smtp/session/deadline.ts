import type { Clock } from "#core/time/clock.ts";

/**
 * A time limit that is replaced many times a second and hardly ever reached. Setting it starts no timer. One timer
 * checks, every `shortestMs` at most, whether the current limit has passed; no limit may be shorter than
 * `shortestMs`.
 */
export class Deadline {
  #at: number | null = null;
  #expired: () => void = () => {};
  #cancelTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly shortestMs: number,
  ) {}

  /**
   * Replaces the running limit: `expired` is called after `limitMs`, unless the limit is replaced or lifted
   * before.
   */
  set(limitMs: number, expired: () => void): void {
    this.#at = this.clock.monotonicMs() + limitMs;
    this.#expired = expired;
    if (this.#cancelTimer === null) this.#lookIn(Math.min(limitMs, this.shortestMs));
  }

  /** Removes the running limit. */
  lift(): void {
    this.#at = null;
  }

  /** Removes the limit and the timer for good. */
  end(): void {
    this.lift();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #lookIn(delayMs: number): void {
    this.#cancelTimer = this.clock.setTimer(delayMs, () => {
      this.#cancelTimer = null;
      if (this.#at === null) return;
      const leftMs = this.#at - this.clock.monotonicMs();
      if (leftMs > 0) return this.#lookIn(Math.min(leftMs, this.shortestMs));
      this.#at = null;
      this.#expired();
    });
  }
}
