import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts } from "#storage/postgres/schema/schema.ts";

/** The row number of a contact; null if the workspace has no such contact. */
export async function contactSeq(session: Session, workspace: number, id: string): Promise<number | null> {
  const found = await session.row<Row<typeof contacts, "seq">>(
    "SELECT seq FROM contacts WHERE workspace = $1 AND id = $2",
    [workspace, id],
  );
  return found?.seq ?? null;
}
