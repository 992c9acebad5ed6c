import type { Clock } from "#core/clock.ts";

/**
 * A limit that is replaced many times a second and hardly ever reached. Setting one costs no timer: a single one looks
 * every `shortestMs` at most, which no limit is shorter than, whether the limit that counts by then has passed.
 */
export class Deadline {
  #at: number | null = null;
  #expired: () => void = () => {};
  #cancelTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly shortestMs: number,
  ) {}

  /** Replaces the running limit: `expired` is called after `limitMs`, unless the limit is replaced or lifted before. */
  set(limitMs: number, expired: () => void): void {
    this.#at = this.clock.monotonicMs() + limitMs;
    this.#expired = expired;
    if (this.#cancelTimer === null) this.#lookIn(Math.min(limitMs, this.shortestMs));
  }

  /** Nothing is waited for. */
  lift(): void {
    this.#at = null;
  }

  /** For good: the timer goes too. */
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
