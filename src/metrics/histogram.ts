import type { Labels, Sample } from "./exposition.ts";

/** Counts how long something took. */
export type Histogram = {
  observe(seconds: number): void;
  samples(labels?: Labels): Sample[];
};

/** @param bounds upper bounds in seconds, ascending; an infinite one is added */
export function histogram(bounds: readonly number[]): Histogram {
  const limits = [...bounds, Number.POSITIVE_INFINITY];
  const counts = limits.map(() => 0);
  let sum = 0;
  return {
    observe(seconds) {
      sum += seconds;
      let bucket = 0;
      while (seconds > limits[bucket]!) bucket++;
      counts[bucket]!++;
    },
    samples(labels = {}) {
      let below = 0;
      const buckets = limits.map((limit, index) => ({
        suffix: "_bucket",
        labels: { ...labels, le: limit === Number.POSITIVE_INFINITY ? "+Inf" : String(limit) },
        value: (below += counts[index]!),
      }));
      return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
    },
  };
}
