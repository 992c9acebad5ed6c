import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import type { OnUpgrade, UpgradeStep } from "#storage/sqlite/schema/migrate.ts";

/** If nothing was logged for this long, the next step of an upgrade is logged. */
const SILENT_MS = 5_000;

/** What an upgrade of the database does next; null if a step was reported a moment ago. */
export function upgradeProgress(clock: Clock): (step: UpgradeStep) => string | null {
  let toldMs = clock.monotonicMs();
  return (step) => {
    if (clock.monotonicMs() - toldMs < SILENT_MS) return null;
    toldMs = clock.monotonicMs();
    if (step.kind === "applies")
      return `the upgrade goes on with ${step.migration}, ${step.number} of ${step.of}`;
    return step.kind === "checks" ? "the upgrade goes on: references between tables are checked" : null;
  };
}

/**
 * Logs an upgrade of the database. A large database takes minutes, and people who wait must see that it
 * continues. For a small one there are two lines.
 */
export function upgradeLog({ log, clock }: { readonly log: Log; readonly clock: Clock }): OnUpgrade {
  const progress = upgradeProgress(clock);
  return ({ from, to }, step) => {
    if (step.kind === "copies")
      return log.info("bringing the database up to a newer schema; it is copied first", { from, to });
    if (step.kind === "done")
      return log.info("the database has the new schema; the copy is of the one before", {
        from,
        to,
        copy: step.copy,
      });
    const text = progress(step);
    if (text !== null) log.info(text, { from, to });
  };
}
