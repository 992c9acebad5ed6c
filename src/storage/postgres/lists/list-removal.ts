import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { lists } from "#storage/postgres/schema/schema.ts";

const HOLD = "SELECT seq FROM lists WHERE workspace = $1 AND id = $2 FOR UPDATE";
/** Only campaigns that are scheduled and not begun: once a mailing exists, it no longer needs the list. */
const UNSCHEDULE = `UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL, next_try_at = NULL, blocked = NULL,
  held = false, paused = NULL WHERE list = $1 AND status = 'SCHEDULED' AND mailing IS NULL`;
/** In the order of their numbers, so that there are no deadlocks. Whoever schedules one waits, and is refused then. */
const LOCK_CAMPAIGNS = "SELECT FROM campaigns WHERE list = $1 ORDER BY seq FOR NO KEY UPDATE";
/**
 * Removing the members of a large list takes long. Campaigns that were scheduled meanwhile lose their time behind it, and
 * only there all are locked: those that are being sent must not wait so long. The list's own row goes last; other
 * references are deleted with it.
 */
const REMOVE = [
  UNSCHEDULE,
  "DELETE FROM list_members WHERE list = $1",
  "DELETE FROM list_counts WHERE list = $1",
  LOCK_CAMPAIGNS,
  UNSCHEDULE,
  "DELETE FROM lists WHERE seq = $1",
];

/** Removes a list with everything that refers to it. False: the workspace has no such list. */
export async function removeList(tx: Session, workspace: number, id: string): Promise<boolean> {
  const found = await tx.row<Row<typeof lists, "seq">>(HOLD, [workspace, id]);
  if (found === null) return false;
  for (const statement of REMOVE) await tx.run(statement, [found.seq]);
  return true;
}
