import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { lists } from "#storage/postgres/schema/schema.ts";

/**
 * The row number of a list; null if the workspace has no such list. The list stays until the transaction ends: who
 * deletes it waits.
 */
export async function holdList(tx: Session, workspace: number, id: string): Promise<number | null> {
  const found = await tx.row<Row<typeof lists, "seq">>(
    "SELECT seq FROM lists WHERE workspace = $1 AND id = $2 FOR KEY SHARE",
    [workspace, id],
  );
  return found?.seq ?? null;
}
