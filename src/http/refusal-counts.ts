import type { Clock } from "#core/clock.ts";
import type { Log } from "#log.ts";

const EVERY_MS = 60_000;

/**
 * Tells the log how many requests were refused (4xx), by status, a minute after the first of them: one line a minute at most, however
 * many strangers knock, and none where nobody does. A line for each stands at `debug`.
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
