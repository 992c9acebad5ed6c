import type { Session } from "#storage/postgres/engine/session.ts";
import { isHidden } from "#storage/postgres/lists/hidden-lists.ts";
import { join } from "#storage/postgres/lists/list-members.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { lists } from "#storage/postgres/schema/schema.ts";

/** If a removal of the list hides it meanwhile, the form's row is still the old one here, and only the list's is new. */
const HOLD_LIST = `SELECT l.seq FROM forms AS f JOIN lists AS l ON l.seq = f.list
  WHERE f.id = $1 AND NOT ${isHidden("l.id")} FOR KEY SHARE OF l`;

/** Puts a contact, which the open transaction has locked, on the list of a form, if the form has one. */
export async function joinListOf(tx: Session, formId: string, contact: number, at: number): Promise<void> {
  const list = await tx.row<Row<typeof lists, "seq">>(HOLD_LIST, [formId]);
  if (list !== null) await join(tx, list.seq, [contact], at);
}
