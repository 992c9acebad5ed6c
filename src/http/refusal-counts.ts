import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";

const EVERY_MS = 60_000;

/**
 * Logs how many requests were refused (4xx), by status, a minute after the first of them. So there is at most
 * one line a minute, however many requests are refused, and none if none is. At `debug` there is a line for
 * each refusal.
 */
export function refusalCounts({ clock, log }: { clock: Clock; log: Log }): (status: number) => void {
  const counts = new Map<number, number>();
  const tell = (): void => {
    const byStatus = Object.fromEntries([...counts].toSorted(([a], [b]) => a - b));
    counts.clear();
    log.info("requests refused in the last minute", byStatus);
  };
  return (status) => {
    if (counts.size === 0) clock.setTimer(EVERY_MS, tell);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  };
}
