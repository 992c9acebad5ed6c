import type { Clock } from "#core/time/clock.ts";
import type { Output } from "./output.ts";

const EVERY_MS = 100;
const WIDTH = 24;
/** An estimate from less time is not reliable. */
const GUESSED_FROM_MS = 1_000;

export type Progress = { show(doneShare: number, note: string): void; end(): void };

/**
 * A bar on a terminal, redrawn at most ten times a second and removed at the end. Without a terminal,
 * nothing.
 */
export function progressBar(clock: Clock, output: Output): Progress {
  const startedMs = clock.monotonicMs();
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    show(doneShare, note) {
      const nowMs = clock.monotonicMs();
      if (!output.onTerminal || nowMs - drawnMs < EVERY_MS) return;
      drawnMs = nowMs;
      output.progress(`\r\u001b[K${barText(doneShare, nowMs - startedMs, note)}`);
    },
    end() {
      if (output.onTerminal) output.progress("\r\u001b[K");
    },
  };
}

/**
 * `[===== ] 21%, 5400 rows, 12 s left`. The estimate assumes that the rest is as fast as the part that is
 * done.
 */
export function barText(doneShare: number, tookMs: number, note: string): string {
  const share = Math.min(1, Math.max(0, doneShare));
  const bar = "=".repeat(Math.floor(share * WIDTH)).padEnd(WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  const isGuessed = share > 0 && share < 1 && tookMs >= GUESSED_FROM_MS;
  const left = isGuessed ? `, ${durationText((tookMs * (1 - share)) / share)} left` : "";
  return `[${bar}] ${percent}%, ${note}${left}`;
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
