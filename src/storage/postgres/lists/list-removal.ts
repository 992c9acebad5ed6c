import type { Session } from "#storage/postgres/engine/session.ts";
import type { Transactions } from "#storage/postgres/engine/transaction.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { listMembers } from "#storage/postgres/schema/schema.ts";
import { listSeq } from "./list-seq.ts";

const HOLD = "SELECT seq FROM lists WHERE seq = $1 FOR UPDATE";
/** Only campaigns that are scheduled and not begun: once a mailing exists, it no longer needs the list. */
const UNSCHEDULE = `UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL, next_try_at = NULL, blocked = NULL,
  held = false, paused = NULL WHERE list = $1 AND status = 'SCHEDULED' AND mailing IS NULL`;
/**
 * In the order of their numbers, and before the list, as a send that begins: so there are no deadlocks. Whoever schedules
 * one waits, and is refused then.
 */
const LOCK_CAMPAIGNS = "SELECT FROM campaigns WHERE list = $1 ORDER BY seq FOR NO KEY UPDATE";

/** How many members are removed in one transaction. Who opts out meanwhile waits for a member's row. */
const MEMBERS_AT_ONCE = 2_000;
type Member = Row<typeof listMembers, "status" | "contact">;
const THROUGH = `SELECT status, contact FROM list_members WHERE list = $1 AND (status, contact) > ($2, $3)
  ORDER BY status, contact OFFSET ${MEMBERS_AT_ONCE - 1} LIMIT 1`;
/** Passes over those that somebody else has locked: they go with the list. */
const REMOVE_SOME = `DELETE FROM list_members WHERE list = $1 AND contact = ANY(ARRAY(
    SELECT contact FROM list_members WHERE list = $1 AND (status, contact) > ($2, $3) AND (status, contact) <= ($4, $5)
    FOR UPDATE SKIP LOCKED))`;

/** Those that somebody had locked, and those who came behind. The list is not locked: who leaves it has their row first. */
const REMOVE_LEFT = [UNSCHEDULE, "DELETE FROM list_members WHERE list = $1"];
/**
 * The list's own row goes last; other references are deleted with it. Those who came meanwhile go too. Campaigns that were
 * scheduled meanwhile lose their time; a campaign may have got the list after all were locked.
 */
const REMOVE = [
  "DELETE FROM list_members WHERE list = $1",
  "DELETE FROM list_counts WHERE list = $1",
  LOCK_CAMPAIGNS,
  UNSCHEDULE,
  "DELETE FROM lists WHERE seq = $1",
];

/**
 * Removes a list with everything that refers to it. Most members go before, in transactions of their own: if the server
 * ends meanwhile, the list has fewer of them, and is removed when that is asked again. False: the workspace has no such
 * list.
 */
export async function removeList(
  { read, write }: Pick<Transactions, "read" | "write">,
  workspace: number,
  id: string,
): Promise<boolean> {
  const list = await read((session) => listSeq(session, workspace, id));
  if (list === null) return false;
  for (let after: Member = { status: "", contact: 0 }; ;) {
    const from = [list, after.status, after.contact];
    const through = await read(({ row }) => row<Member>(THROUGH, from));
    if (through === null) break;
    await write(async (tx) => {
      // Nothing begins by itself on a part of the list.
      await tx.run(UNSCHEDULE, [list]);
      await tx.run(REMOVE_SOME, [...from, through.status, through.contact]);
    });
    after = through;
  }
  await write((tx) => runAll(tx, REMOVE_LEFT, list));
  return await write(async (tx) => {
    await tx.run(LOCK_CAMPAIGNS, [list]);
    if ((await tx.row(HOLD, [list])) === null) return false;
    await runAll(tx, REMOVE, list);
    return true;
  });
}

async function runAll(tx: Session, statements: readonly string[], list: number): Promise<void> {
  for (const statement of statements) await tx.run(statement, [list]);
}
