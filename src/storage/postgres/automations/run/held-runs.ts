import type { RunStore } from "#automations/run/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";

/** A run that a node has locked is moving already. */
const SOME = `UPDATE enrollments SET next_run_at = $3 WHERE seq IN (
  SELECT e.seq FROM automations AS a JOIN enrollments AS e
    ON e.automation = a.seq AND e.status = 'ACTIVE' AND e.next_run_at = $2 AND NOT e.waiting
  WHERE a.workspace = $1 LIMIT $4 FOR UPDATE OF e SKIP LOCKED)`;

export function drawInHeld({ write, seqOf }: PostgresDatabase): RunStore["drawInHeld"] {
  return async (workspaceId, until, now, rowsMax) => {
    const workspace = await seqOf(workspaceId);
    return await write((tx) => tx.run(SOME, [workspace, until, now, rowsMax]));
  };
}
