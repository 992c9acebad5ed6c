/**
 * Removes a list with everything that refers to it. To everybody it is gone at once. Its members go after that, in
 * stretches, because whoever opts out meanwhile waits for a member's row:
 *
 *   there --> hidden (no campaign or form has it, nobody finds it) --stretches--> gone
 *
 * So no transaction holds members while it waits for the list. Some have the list before a member's row (who takes
 * somebody off it), others after it (who opts out): with either order there would be deadlocks.
 *
 * Who hid it has removed it: for whoever asks after that, on any node, it is not there. If the server ends meanwhile, the
 * list stays hidden, and any node removes the rest (`removeHiddenLists`). Several may do it at once: each passes over
 * what another has locked.
 */
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Transactions } from "#storage/postgres/engine/transaction.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { listMembers, lists } from "#storage/postgres/schema/schema.ts";
import { listSeq } from "./list-seq.ts";
import { hiddenId, isHidden } from "./hidden-lists.ts";

/** Of a hidden list, which only those still have who leave it: they have the member's row before the list's. */
const LOCK_MEMBERS = "SELECT FROM list_members WHERE list = $1 ORDER BY contact FOR UPDATE";
/** In the order of their numbers, and before the list. Whoever sends or schedules one waits, and is refused then. */
const LOCK_CAMPAIGNS = "SELECT FROM campaigns WHERE list = $1 ORDER BY seq FOR NO KEY UPDATE";
/** Waits for those who are just putting somebody or something on the list, or hiding it. */
const HOLD = `SELECT seq FROM lists WHERE seq = $1 AND NOT ${isHidden("id")} FOR UPDATE`;
/** Only campaigns that are scheduled and not begun: once a mailing exists, it no longer needs the list. */
const UNSCHEDULE = `UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL, next_try_at = NULL, blocked = NULL,
  held = false, paused = NULL WHERE list = $1 AND status = 'SCHEDULED' AND mailing IS NULL`;
/** A plan under way keeps the list's number, so it ends as changed. */
const HIDE = [
  "UPDATE campaigns SET list = NULL WHERE list = $1",
  "UPDATE forms SET list = NULL WHERE list = $1",
  `UPDATE lists SET id = ${hiddenId("id")}, is_public = false WHERE seq = $1`,
];
/** The list's own row goes last; other references are deleted with it. */
const REMOVE = [
  "DELETE FROM list_members WHERE list = $1",
  "DELETE FROM list_counts WHERE list = $1",
  "DELETE FROM lists WHERE seq = $1",
];

/** How many members are removed in one transaction. */
const MEMBERS_AT_ONCE = 2_000;
type Member = Row<typeof listMembers, "status" | "contact">;
type ListRow = Row<typeof lists, "seq">;
const FIRST: Member = { status: "", contact: 0 };
const THROUGH = `SELECT status, contact FROM list_members WHERE list = $1 AND (status, contact) > ($2, $3)
  ORDER BY status, contact OFFSET ${MEMBERS_AT_ONCE - 1} LIMIT 1`;
/** Passes over those that somebody else has locked: they go at the end. */
const REMOVE_SOME = `DELETE FROM list_members WHERE list = $1 AND contact = ANY(ARRAY(
    SELECT contact FROM list_members WHERE list = $1 AND (status, contact) > ($2, $3) AND (status, contact) <= ($4, $5)
    FOR UPDATE SKIP LOCKED))`;

const HIDDEN_LISTS = `SELECT seq FROM lists WHERE ${isHidden("id")} ORDER BY seq`;

type Database = Pick<Transactions, "read" | "write">;

/** False: the workspace has no such list. */
export async function removeList(database: Database, workspace: number, id: string): Promise<boolean> {
  const { read, write } = database;
  const list = await read((session) => listSeq(session, workspace, id));
  if (list === null) return false;
  const isFound = await write(async (tx) => {
    await tx.run(LOCK_CAMPAIGNS, [list]);
    if ((await tx.row(HOLD, [list])) === null) return false;
    await runAll(tx, [UNSCHEDULE, ...HIDE], list);
    return true;
  });
  if (isFound) await removeHidden(database, list);
  return isFound;
}

/**
 * Removes what is left of lists whose removal was cut off, or is under way. One that cannot be removed does not
 * keep the others.
 * @param isOver asked between two stretches: true leaves the rest for another time
 * @throws what the first one failed of
 */
export async function removeHiddenLists(database: Database, isOver: () => boolean): Promise<void> {
  const failures: unknown[] = [];
  for (const { seq } of await database.read(({ rows }) => rows<ListRow>(HIDDEN_LISTS)))
    await removeHidden(database, seq, isOver).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function removeHidden(
  database: Database,
  list: number,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (let after = FIRST; !isOver();) {
    const through = await nextStretch(database, list, after);
    if (through === null) return await database.write((tx) => runAll(tx, [LOCK_MEMBERS, ...REMOVE], list));
    const stretch = [list, after.status, after.contact, through.status, through.contact];
    await database.write((tx) => tx.run(REMOVE_SOME, stretch));
    after = through;
  }
}

/** The last member of the next stretch; null if what is left is less than one. */
const nextStretch = ({ read }: Database, list: number, { status, contact }: Member): Promise<Member | null> =>
  read(({ row }) => row<Member>(THROUGH, [list, status, contact]));

async function runAll(tx: Session, statements: readonly string[], list: number): Promise<void> {
  for (const statement of statements) await tx.run(statement, [list]);
}
