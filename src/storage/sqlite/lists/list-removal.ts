import type { Database } from "bun:sqlite";
import { hasRows } from "#storage/sqlite/engine/has-rows.ts";
import { untilNone } from "#storage/sqlite/engine/writes/in-slices.ts";
import { listSeq } from "./list-seq.ts";

// Raw SQL: it runs in slices on the connection of a long write, which Drizzle does not have.

const CAMPAIGNS = "SELECT seq FROM campaigns WHERE list = ?1 ORDER BY seq LIMIT ?2";
const TAKE_OFF_CAMPAIGNS: readonly string[] = [
  // Only campaigns that are scheduled and not begun: once a mailing exists, it no longer needs the list.
  `UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL, next_try_at = NULL, blocked = NULL, held = 0, paused = NULL
   WHERE seq IN (${CAMPAIGNS}) AND status = 'SCHEDULED' AND mailing IS NULL`,
  // Last, because the other finds them by the list.
  `UPDATE campaigns SET list = NULL WHERE seq IN (${CAMPAIGNS})`,
];
const TAKE_OFF_FORMS =
  "UPDATE forms SET list = NULL WHERE seq IN (SELECT seq FROM forms WHERE list = ? LIMIT ?)";
/** Before the members are removed: otherwise a trigger would update the counts for each of them. */
const REMOVE_SEARCHES = "DELETE FROM search_counts WHERE list = ? AND list > 0";
const REMOVE_MEMBERS = `DELETE FROM list_members WHERE (list, status, contact) IN
  (SELECT list, status, contact FROM list_members WHERE list = ? LIMIT ?)`;
const REMOVE_DEPARTURES =
  "DELETE FROM list_departures WHERE seq IN (SELECT seq FROM list_departures WHERE list = ? LIMIT ?)";
const REMOVE_COUNTS = "DELETE FROM list_counts WHERE list = ?";
const REMOVE = "DELETE FROM lists WHERE seq = ?";

/** With fewer rows of each kind than this, all are removed in a few milliseconds. */
const FEW = 500;

/** Whether a list has too many rows to be removed in one turn of the event loop. Everybody who ever left it is one. */
export const hasManyRows = (sqlite: Database, list: number): boolean =>
  hasRows(sqlite, ["list_members", "list_departures", "campaigns", "forms"], {
    column: "list",
    value: list,
    count: FEW,
  });

/** Removes a list with everything that refers to it. False: the workspace has no such list. */
export function* listRemoval(
  sqlite: Database,
  workspace: number,
  id: string,
): Generator<void, boolean, void> {
  const seq = listSeq(sqlite)(workspace, id);
  if (seq === null) return false;
  yield* untilNone(sqlite, TAKE_OFF_CAMPAIGNS, seq);
  sqlite.query<null, [number]>(REMOVE_SEARCHES).run(seq);
  for (const sql of [TAKE_OFF_FORMS, REMOVE_MEMBERS, REMOVE_DEPARTURES]) yield* untilNone(sqlite, [sql], seq);
  for (const sql of [REMOVE_COUNTS, REMOVE]) sqlite.query<null, [number]>(sql).run(seq);
  return true;
}
