import type { Clock } from "#core/time/clock.ts";
import { fittingRows } from "#scheduler/fitting-rows.ts";
import { yieldTurns } from "#core/time/event-loop.ts";
import { CutOff } from "./cut-off.ts";

/** The longest time for a slice of a plan, so that nobody else waits for it. */
const SLICE = { sliceMs: 10, first: 100, min: 20, max: 5_000 } as const;
/**
 * Turns of the event loop between two slices: requests that came meanwhile are answered, and their writes get
 * commits of their own.
 */
const TURNS_BETWEEN = 3;

/**
 * Repeats a step as long as it returns `more`, each time with as many rows as fit into `SLICE.sliceMs`. Returns the
 * last result. The next call begins with the last number of rows.
 *
 * @throws CutOff when `stop` aborts: the end of the server does not wait for the end of a plan
 */
export function slices(clock: Clock, stop: AbortSignal) {
  const fitting = fittingRows(clock, SLICE);
  return async <T>(step: (rowsMax: number) => Promise<T>, more: T): Promise<T> => {
    for (;;) {
      if (stop.aborted) throw new CutOff();
      const startedMs = clock.monotonicMs();
      const result = await step(fitting.rows);
      if (result !== more) return result;
      fitting.learn(startedMs);
      await yieldTurns(TURNS_BETWEEN);
    }
  };
}
