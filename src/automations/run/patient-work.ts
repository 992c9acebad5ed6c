import { errorText } from "#core/errors/thrown.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Clock } from "#core/time/clock.ts";
import { growingPauses } from "#core/time/growing-pauses.ts";
import type { Log } from "#log.ts";
import { RefusedForNow, WorkLate } from "#work/pool.ts";
import type { DueAutomation } from "./store.ts";

const KEPT_MAX = 1_000;
/** What is refused for now is given up after few tries (work/tries.ts), so they are not made in quick succession. */
const REFUSED_PAUSE_MS = 15_000;

/** As `automationWork` returns it. */
type WorkOn = (automation: DueAutomation) => Promise<number | null>;

/**
 * Works on automations so that one that a fault of ours stops delays no other. It is tried with pauses: its runs are
 * where they were, and go on when that is mended.
 */
export function patientWork(
  workOn: WorkOn,
  { clock, log }: { readonly clock: Pick<Clock, "monotonicMs">; readonly log: Log },
) {
  const pauses = growingPauses<string, string>(clock, KEPT_MAX);

  const failed = ({ id }: DueAutomation, error: unknown): void => {
    const write = error instanceof WorkLate ? log.warn : log.error;
    write("an automation could not be worked on", { automation: id, error });
    // A database that gives no answer is no fault of this automation, and everybody says so.
    if (error instanceof StorageError) return;
    const pauseMs = error instanceof RefusedForNow ? REFUSED_PAUSE_MS : undefined;
    pauses.failed(id, error instanceof WorkLate ? error.reason : errorText(error), pauseMs);
  };

  return {
    /** Resolves with the number of rows that moved, or "failed": it is due, but not to be tried at once. */
    async on(automation: DueAutomation): Promise<number | "failed"> {
      if (pauses.isPausing(automation.id)) return "failed";
      try {
        const moved = await workOn(automation);
        if (moved !== null) pauses.succeeded(automation.id);
        return moved ?? 0;
      } catch (error) {
        failed(automation, error);
        return "failed";
      }
    },

    /** Forgets what stopped those that are not due any more: they are PAUSED, or nobody is left in them. */
    onlyThoseOf: (due: readonly DueAutomation[]): void => pauses.only(new Set(due.map(({ id }) => id))),

    /** Why nobody moves in an automation, as of its last try; null: nothing was wrong. */
    stopped: (automationId: string): string | null => pauses.why(automationId),
  };
}
