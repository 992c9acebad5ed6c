import type { Clock } from "#core/time/clock.ts";

type ShortestWait = {
  /** Waits this long, or less if a shorter wait is running. */
  atMost(ms: number): void;
  /** Ends the wait. */
  end(): void;
};

/** One wait at a time; the shortest one counts. */
export function shortestWait(
  { monotonicMs, setTimer }: Pick<Clock, "monotonicMs" | "setTimer">,
  over: () => void,
): ShortestWait {
  let running: { readonly at: number; cancel(): void } | null = null;
  const end = (): void => {
    running?.cancel();
    running = null;
  };
  return {
    end,
    atMost(ms) {
      const at = monotonicMs() + ms;
      if (running !== null && running.at <= at) return;
      end();
      const cancel = setTimer(ms, () => {
        running = null;
        over();
      });
      running = { at, cancel };
    },
  };
}
