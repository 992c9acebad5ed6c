import type { Clock } from "#core/time/clock.ts";
import type { Family } from "./exposition.ts";
import { histogram } from "./histogram.ts";

const EVERY_MS = 100;
const BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

export type EventLoopDelay = { family(): Family; start(): void; stop(): void };

/**
 * How late a timer fires, which is how long everything else had to wait too. Measured ten times a second, so
 * a delay of 100 ms or more is always seen; shorter ones are seen in proportion to their length.
 */
export function eventLoopDelay(clock: Clock): EventLoopDelay {
  const delays = histogram(BOUNDS_SECONDS);
  let cancel: (() => void) | null = null;
  const plan = (): void => {
    const askedMs = clock.monotonicMs();
    cancel = clock.setTimer(EVERY_MS, () => {
      delays.observe(Math.max(0, clock.monotonicMs() - askedMs - EVERY_MS) / 1000);
      plan();
    });
  };
  return {
    start: () => plan(),
    stop: () => cancel?.(),
    family: () => ({
      name: "postrider_event_loop_delay_seconds",
      help: "How late a timer fired, looked at ten times a second.",
      type: "histogram",
      samples: delays.samples(),
    }),
  };
}
