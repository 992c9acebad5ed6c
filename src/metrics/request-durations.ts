import type { Family } from "./exposition.ts";
import { histogram, type Histogram } from "./histogram.ts";

/** A request that was answered. `route` is the pattern it matched, never its path: a path is as varied as its callers. */
type AnsweredRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
};

const BOUNDS_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 45];
const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"];

export type RequestDurations = { observe(request: AnsweredRequest): void; family(): Family };

/** By method, route and class of status. A stranger cannot make it grow: methods nobody knows are one. */
export function requestDurations(): RequestDurations {
  const series = new Map<string, { labels: Record<string, string>; histogram: Histogram }>();
  return {
    observe({ method, route, status, ms }) {
      const knownMethod = METHODS.includes(method) ? method : "other";
      const statusClass = `${Math.floor(status / 100)}xx`;
      const key = `${knownMethod} ${route} ${statusClass}`;
      let known = series.get(key);
      if (known === undefined) {
        const labels = { method: knownMethod, route, status: statusClass };
        known = { labels, histogram: histogram(BOUNDS_SECONDS) };
        series.set(key, known);
      }
      known.histogram.observe(ms / 1000);
    },
    family: () => ({
      name: "postrider_http_request_duration_seconds",
      help: "Time until a request was answered.",
      type: "histogram",
      samples: [...series.values()].flatMap((one) => one.histogram.samples(one.labels)),
    }),
  };
}
