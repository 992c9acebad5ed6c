import type { Family } from "./exposition.ts";
import { histogram, type Histogram } from "./histogram.ts";

/** An answered request. */
type AnsweredRequest = { readonly method: string; readonly status: number; readonly ms: number };

const BOUNDS_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 45];
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"]);

type Series = {
  readonly labels: Readonly<Record<"method" | "route" | "status", string>>;
  readonly histogram: Histogram;
};

type Observe = (request: AnsweredRequest) => void;

export type RequestDurations = {
  /**
   * An observer for the answers of a route, given by its pattern. Never pass a path: there are as many paths
   * as callers make up. The same route gives the same observer.
   */
  observing(route: string): Observe;
  family(): Family;
};

/**
 * Durations by method, route and class of status. Strangers cannot make it grow: all unknown methods are
 * counted together.
 */
export function requestDurations(): RequestDurations {
  const all: Series[] = [];
  const observers = new Map<string, Observe>();

  const observerOf = (route: string): Observe => {
    /** By the class of status. */
    const byMethod = new Map<string, Series[]>();
    const add = (known: Series[], statusClass: number, method: string): Series => {
      const labels = { method, route, status: `${statusClass}xx` };
      const series = { labels, histogram: histogram(BOUNDS_SECONDS) };
      known[statusClass] = series;
      all.push(series);
      return series;
    };
    return ({ method: sent, status, ms }) => {
      const method = METHODS.has(sent) ? sent : "other";
      let known = byMethod.get(method);
      if (known === undefined) byMethod.set(method, (known = []));
      const statusClass = Math.floor(status / 100);
      const series = known[statusClass] ?? add(known, statusClass, method);
      series.histogram.observe(ms / 1000);
    };
  };

  return {
    observing(route) {
      const known = observers.get(route) ?? observerOf(route);
      observers.set(route, known);
      return known;
    },
    family: () => ({
      name: "postrider_http_request_duration_seconds",
      help: "Time until a request was answered.",
      type: "histogram",
      samples: all.flatMap((one) => one.histogram.samples(one.labels)),
    }),
  };
}
