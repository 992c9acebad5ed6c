import type { Labels, Sample } from "./exposition.ts";

/** Counts how long something took. */
export type Histogram = {
  observe(seconds: number): void;
  samples(labels?: Labels): Sample[];
};

/** @param bounds upper bounds in seconds, ascending; an infinite one is added */
export function histogram(bounds: readonly number[]): Histogram {
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((limit) => ({ limit, count: 0 }));
  let sum = 0;
  return {
    observe(seconds) {
      sum += seconds;
      for (const bucket of buckets) {
        if (seconds > bucket.limit) continue;
        bucket.count++;
        return;
      }
    },
    samples(labels = {}) {
      let below = 0;
      const counted = buckets.map(({ limit, count }) => ({
        suffix: "_bucket",
        labels: { ...labels, le: limit === Number.POSITIVE_INFINITY ? "+Inf" : String(limit) },
        value: (below += count),
      }));
      return [...counted, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
    },
  };
}
