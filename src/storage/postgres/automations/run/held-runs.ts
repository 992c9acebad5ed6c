import type { OwedHold, RunStore } from "#automations/run/store.ts";
import { ENDED_HOLDS_KEY, endedHoldsIn } from "#storage/common/automations/ended-holds.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { settings, workspaces } from "#storage/postgres/schema/schema.ts";
import { forgetEndedHold } from "#storage/postgres/workspaces/ended-holds.ts";

const OWED = `SELECT w.id AS workspace_id, s.value FROM settings AS s JOIN workspaces AS w ON w.seq = s.workspace
  WHERE s.key = $1 AND s.value <> '' ORDER BY w.seq`;

/** A run that a node has locked is moving already. */
const SOME = `UPDATE enrollments SET next_run_at = $3 WHERE seq IN (
  SELECT e.seq FROM automations AS a JOIN enrollments AS e
    ON e.automation = a.seq AND e.status = 'ACTIVE' AND e.next_run_at = $2 AND NOT e.waiting
  WHERE a.workspace = $1 LIMIT $4 FOR UPDATE OF e SKIP LOCKED)`;

type OwedRow = Row<typeof settings, "value"> & { readonly workspaceId: Value<typeof workspaces, "id"> };

/** Runs that quiet hours hold which somebody has changed. */
export function heldRuns({
  read,
  write,
  seqOf,
}: PostgresDatabase): Pick<RunStore, "endedHolds" | "drawInHeld" | "forgetHold"> {
  return {
    async endedHolds() {
      const found = await read(({ rows }) => rows<OwedRow>(OWED, [ENDED_HOLDS_KEY]));
      return found.flatMap(({ workspaceId, value }): OwedHold[] =>
        endedHoldsIn(value).map((hold) => ({ ...hold, workspaceId })),
      );
    },

    async drawInHeld(workspaceId, until, now, rowsMax) {
      const workspace = await seqOf(workspaceId);
      return await write((tx) => tx.run(SOME, [workspace, until, now, rowsMax]));
    },

    async forgetHold({ workspaceId, ...hold }) {
      const workspace = await seqOf(workspaceId);
      await write((tx) => forgetEndedHold(tx, workspace, hold));
    },
  };
}
