import { isIgnored } from "#commands/line/ignored-signal.ts";
import type { Clock } from "#core/time/clock.ts";

/**
 * One wish arrives several times at once: a terminal signals everything in it, and what runs the server (`bun run`,
 * `timeout`) passes its own signal on, or another.
 */
const ONE_WISH_MS = 1_000;

/**
 * Resolves with the first SIGTERM or SIGINT, which asks the server to stop. A second one, a second later, ends the
 * process at once. The end of a terminal (SIGHUP) asks for the same, unless whoever started the server had it ignored.
 * It is never the second one, because the shell and the system both send it.
 */
export function firstSignal(clock: Clock): Promise<string> {
  return new Promise((resolve) => {
    let askedMs: number | null = null;
    const signals = ["SIGTERM", "SIGINT", ...(isIgnored("SIGHUP") ? [] : (["SIGHUP"] as const))] as const;
    for (const signal of signals) {
      process.on(signal, () => {
        const nowMs = clock.monotonicMs();
        if (askedMs === null) {
          askedMs = nowMs;
          resolve(signal);
        } else if (signal !== "SIGHUP" && nowMs - askedMs >= ONE_WISH_MS) process.exit(130);
      });
    }
  });
}
