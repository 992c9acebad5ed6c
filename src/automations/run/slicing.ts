import type { Clock } from "#core/time/clock.ts";
import { yieldTurnsWhile } from "#core/time/event-loop.ts";
import type { Slice } from "./store.ts";

/** How long one slice works in the database, and how long while requests are being answered. */
const SLICE_MS = 4;
const SLICE_MS_BESIDE_REQUESTS = 1.5;
const SLICE_ROWS_MAX = 500;
/** Mail that somebody waits for takes about ten turns of the loop. Only few of them may contain a slice. */
const TURNS_BETWEEN_SLICES = 2;
const TURNS_BESIDE_REQUESTS = 12;

/** Divides the database's time into slices. The whole server shares one event loop, so slices are short. */
export function slicing({ clock, hasRequests }: { readonly clock: Clock; hasRequests(): boolean }) {
  return {
    /** The slice is shorter if somebody waits for an answer when it begins. */
    slice: (): Slice => ({
      now: clock.now(),
      rowsMax: SLICE_ROWS_MAX,
      begin() {
        const overMs = clock.monotonicMs() + (hasRequests() ? SLICE_MS_BESIDE_REQUESTS : SLICE_MS);
        return () => clock.monotonicMs() >= overMs;
      },
    }),

    /** Lets everybody else have a turn. Call it between two slices. */
    pause: (): Promise<void> => yieldTurnsWhile(hasRequests, TURNS_BETWEEN_SLICES, TURNS_BESIDE_REQUESTS),
  };
}
