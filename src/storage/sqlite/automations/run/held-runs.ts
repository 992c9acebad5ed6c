import type { Instant } from "#core/time/clock.ts";
import type { OwedHold, RunStore } from "#automations/run/store.ts";
import { ENDED_HOLDS_KEY, endedHoldsIn } from "#storage/common/automations/ended-holds.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { settings, workspaces } from "#storage/sqlite/schema/schema.ts";
import { endedHoldRows } from "#storage/sqlite/workspaces/ended-holds.ts";

type Held = {
  readonly workspace: number;
  readonly until: Instant;
  readonly now: Instant;
  readonly rows: number;
};

type OwedRow = Row<typeof settings, "value"> & { readonly workspaceId: Value<typeof workspaces, "id"> };

/** Runs that quiet hours hold which somebody has changed. */
export function heldRuns(
  { sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<RunStore, "endedHolds" | "drawInHeld" | "forgetHold"> {
  const holds = endedHoldRows(sqlite);
  const owed = sqlite.query<OwedRow, [string]>(
    `SELECT w.id AS workspaceId, s.value FROM workspaces AS w CROSS JOIN settings AS s ON s.workspace = w.seq AND s.key = ?
     WHERE s.value <> '' ORDER BY w.seq`,
  );
  // The index by automation and time finds exactly those that are due at that instant, among millions that wait.
  const some = sqlite.query<null, Held>(
    `UPDATE enrollments SET next_run_at = $now WHERE seq IN (
       SELECT e.seq FROM automations AS a CROSS JOIN enrollments AS e
         ON e.automation = a.seq AND e.status = 'ACTIVE' AND e.next_run_at = $until AND e.waiting = 0
       WHERE a.workspace = $workspace LIMIT $rows)`,
  );
  return {
    endedHolds: async () =>
      owed
        .all(ENDED_HOLDS_KEY)
        .flatMap(({ workspaceId, value }): OwedHold[] =>
          endedHoldsIn(value).map((hold) => ({ ...hold, workspaceId })),
        ),

    async drawInHeld(workspaceId, until, now, rows) {
      const workspace = seqOf(workspaceId);
      return await writes.write(() => some.run({ workspace, until, now, rows }).changes);
    },

    forgetHold: ({ workspaceId, ...hold }) => writes.write(() => void holds.forget(seqOf(workspaceId), hold)),
  };
}
