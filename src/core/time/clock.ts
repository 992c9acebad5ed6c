/** Milliseconds since the Unix epoch, UTC. */
export type Instant = number;

/**
 * The only source of time in the service. Rules get an `Instant`; code that waits gets the `Clock`.
 *
 * `now` may jump (NTP, or a person sets the clock). `monotonicMs` never runs backwards: measure durations
 * with it.
 */
export type Clock = {
  now(): Instant;
  monotonicMs(): number;
  /**
   * Calls `run` once after `delayMs`. The returned function cancels it. A pending timer alone does not keep
   * the process alive.
   */
  setTimer(delayMs: number, run: () => void): () => void;
};

/** Resolves after `delayMs` of the given clock. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(delayMs, resolve));
}

/** The machine's clock: the one place in the service that reads it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};
