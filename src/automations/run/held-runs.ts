import type { Clock, Instant } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { RunStore } from "./store.ts";

/** Very many may be held, and everybody else waits for a write. */
const ROWS = 1_000;

/**
 * Has the runs look again that quiet hours hold until `heldUntil`, because somebody has changed those hours: a run
 * keeps the end that was known when it was held.
 */
export function heldRuns({
  runs,
  clock,
}: {
  readonly runs: Pick<RunStore, "drawInHeld">;
  readonly clock: Clock;
}) {
  return async (workspaceId: string, heldUntil: Instant): Promise<void> => {
    while ((await runs.drawInHeld(workspaceId, heldUntil, clock.now(), ROWS)) > 0) await nextLoopTurn();
  };
}
