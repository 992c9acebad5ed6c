import type { Database } from "bun:sqlite";
import { CONTACT_COLUMNS, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";

/** The rows with these numbers, in their order; deleted ones are left out. */
export function contactsBySeq(sqlite: Database): (seqs: readonly number[]) => ContactRow[] {
  const bySeq = sqlite.query<ContactRow, [string]>(
    `SELECT ${CONTACT_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN contacts AS c ON c.seq = wanted.value`,
  );
  return (seqs) => bySeq.all(JSON.stringify(seqs));
}
