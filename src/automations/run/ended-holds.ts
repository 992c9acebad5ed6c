import type { Clock, Instant } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import { quietUntil } from "#workspaces/quiet-hours.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { slicing } from "./slicing.ts";
import type { OwedHold, RunStore } from "./store.ts";

/** Very many may be held, and everybody else waits for a write. */
const ROWS = 500;
/** For so long the runs of one workspace are looked at before others have their turn. */
const DRAW_IN_MS = 20;
/**
 * A server that read the settings before they were changed may hold somebody until the old end a little later: for so
 * long it is looked for such runs. A write waits at most 30 seconds for a lock, and after 15 without a sign of life a
 * server writes nothing more.
 */
const LATE_MS = 120_000;

type Parts = {
  readonly runs: Pick<RunStore, "endedHolds" | "drawInHeld" | "forgetHold">;
  readonly workspaces: Pick<WorkspaceStore, "settings" | "revision">;
  readonly slices: Pick<ReturnType<typeof slicing>, "pause">;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Has the runs look again that quiet hours still hold, although somebody has changed those hours. For a short time
 * only. Returns whether some were found, so there may be more.
 */
export function endedHolds({ runs, workspaces, slices, clock, log }: Parts) {
  /** As of which change of settings nothing was owed: while there is no other, nobody looks again. */
  let noneAt: number | null = null;
  const owed = async (): Promise<OwedHold[]> => {
    const revision = workspaces.revision();
    if (revision === noneAt) return [];
    const holds = await runs.endedHolds();
    noneAt = holds.length === 0 ? revision : null;
    return holds;
  };

  /** The same end may be right again: by other hours, or because they were changed back. */
  const isOver = async ({ workspaceId, heldUntil }: OwedHold, now: Instant): Promise<boolean> => {
    if (heldUntil <= now) return true;
    const { quietHours, timezone } = await workspaces.settings(workspaceId);
    return quietUntil(now, quietHours, timezone) === heldUntil;
  };

  const drawIn = async (hold: OwedHold, signOfLife: () => void, stop: AbortSignal): Promise<boolean> => {
    const now = clock.now();
    if (await isOver(hold, now)) {
      await runs.forgetHold(hold);
      return false;
    }
    const overMs = clock.monotonicMs() + DRAW_IN_MS;
    let moved = false;
    while (!stop.aborted && (await runs.drawInHeld(hold.workspaceId, hold.heldUntil, now, ROWS)) > 0) {
      moved = true;
      signOfLife();
      await slices.pause();
      if (clock.monotonicMs() > overMs) break;
    }
    if (!moved && !stop.aborted && now - hold.endedAt > LATE_MS) await runs.forgetHold(hold);
    return moved;
  };

  return async (signOfLife: () => void, stop: AbortSignal): Promise<boolean> => {
    let moved = false;
    for (const hold of await owed()) {
      const drawn = await drawIn(hold, signOfLife, stop).catch((error: unknown) => {
        log.error("runs that quiet hours hold no more could not be looked at; it is tried again", {
          workspace: hold.workspaceId,
          error,
        });
        return false;
      });
      if (drawn) moved = true;
    }
    return moved;
  };
}
