import type { Clock } from "#core/clock.ts";
import type { Output } from "./output.ts";

const EVERY_MS = 100;
const WIDTH = 24;

export type Progress = { show(doneShare: number, rows: number): void; end(): void };

/** A bar on a terminal, redrawn at most ten times a second and wiped at the end; nothing anywhere else. */
export function progressBar(clock: Clock, output: Output): Progress {
  const startedMs = clock.monotonicMs();
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    show(doneShare, rows) {
      const nowMs = clock.monotonicMs();
      if (!output.onTerminal || nowMs - drawnMs < EVERY_MS) return;
      drawnMs = nowMs;
      const filled = Math.round(Math.min(1, doneShare) * WIDTH);
      const perSecond = Math.round(rows / Math.max(0.001, (nowMs - startedMs) / 1000));
      output.progress(`\r\u001b[K[${"=".repeat(filled).padEnd(WIDTH)}] ${rows} rows, ${perSecond} rows/s`);
    },
    end() {
      if (output.onTerminal) output.progress("\r\u001b[K");
    },
  };
}
