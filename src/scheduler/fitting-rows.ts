import type { Clock } from "#core/time/clock.ts";

type Limits = {
  readonly sliceMs: number;
  readonly first: number;
  readonly min: number;
  readonly max: number;
};

/**
 * How many rows take about `sliceMs`, learned from the slices before: rows differ in length, and machines in
 * speed.
 */
export function fittingRows(clock: Clock, { sliceMs, first, min, max }: Limits) {
  let rows = first;
  return {
    get rows(): number {
      return rows;
    },

    /** Call it after each slice of so many rows. */
    learn(startedMs: number): void {
      const tookMs = Math.max(1, clock.monotonicMs() - startedMs);
      const fitting = Math.round((rows * sliceMs) / tookMs);
      rows = Math.min(max, Math.max(min, Math.min(fitting, rows * 2)));
    },
  };
}
