import type { Clock, Instant } from "#core/time/clock.ts";

export type ManualClock = Clock & {
  /** Moves both clocks on and runs the timers that fall due, in their order. */
  advance(byMs: number): void;
  /** Timers that still wait. */
  readonly pending: number;
  /** Whether one of them falls due in exactly so long. */
  waitsFor(ms: number): boolean;
};

/** A clock that only moves when told to. */
export function manualClock(startAt: Instant = Date.UTC(2026, 0, 5, 9)): ManualClock {
  let elapsed = 0;
  const timers = new Set<{ dueMs: number; run: () => void }>();
  return {
    now: () => startAt + elapsed,
    monotonicMs: () => elapsed,
    setTimer(delayMs, run) {
      const timer = { dueMs: elapsed + delayMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      const until = elapsed + byMs;
      for (;;) {
        const [next] = [...timers]
          .filter((timer) => timer.dueMs <= until)
          .toSorted((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.dueMs);
        next.run();
      }
      elapsed = until;
    },
    get pending() {
      return timers.size;
    },
    waitsFor: (ms) => [...timers].some(({ dueMs }) => dueMs === elapsed + ms),
  };
}
