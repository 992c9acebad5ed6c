import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { lists } from "#storage/postgres/schema/schema.ts";

const FIND = "SELECT seq FROM lists WHERE workspace = $1 AND id = $2";

/** The row number of a list; null if the workspace has no such list. */
export const listSeq = (session: Session, workspace: number, id: string): Promise<number | null> =>
  seqBy(session, FIND, workspace, id);

/** The same, with the list locked until the transaction ends: deleting it waits. */
export const holdList = (tx: Session, workspace: number, id: string): Promise<number | null> =>
  seqBy(tx, `${FIND} FOR KEY SHARE`, workspace, id);

async function seqBy(
  session: Session,
  statement: string,
  workspace: number,
  id: string,
): Promise<number | null> {
  return (await session.row<Row<typeof lists, "seq">>(statement, [workspace, id]))?.seq ?? null;
}
