import type { Instant } from "#core/time/clock.ts";
import type { RunStore } from "#automations/run/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

type Held = {
  readonly workspace: number;
  readonly until: Instant;
  readonly now: Instant;
  readonly rows: number;
};

/** The index by automation and time finds exactly those that are due at that instant, among millions that wait. */
export function drawInHeld({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): RunStore["drawInHeld"] {
  const some = sqlite.query<null, Held>(
    `UPDATE enrollments SET next_run_at = $now WHERE seq IN (
       SELECT e.seq FROM automations AS a CROSS JOIN enrollments AS e
         ON e.automation = a.seq AND e.status = 'ACTIVE' AND e.next_run_at = $until AND e.waiting = 0
       WHERE a.workspace = $workspace LIMIT $rows)`,
  );
  return async (workspaceId, until, now, rows) => {
    const workspace = seqOf(workspaceId);
    return await writes.write(() => some.run({ workspace, until, now, rows }).changes);
  };
}
