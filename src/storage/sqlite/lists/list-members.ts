import type { Database } from "bun:sqlite";
import { accept, type Refusal, type Result } from "#core/errors.ts";
import { JOINING_STATUSES } from "#lists/membership.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

const JOINING = `(${JOINING_STATUSES.map((status) => `'${status}'`).join(", ")})`;

/** Who is on a list, on an open transaction. Ids go in as one JSON array, so that 50,000 of them are one statement. */
export function listMembers(sqlite: Database) {
  const known = sqlite.query<Row<typeof contacts, "id" | "status">, [string, number]>(
    `SELECT c.id, c.status FROM json_each(?) AS wanted CROSS JOIN contacts AS c ON c.id = wanted.value
     WHERE c.workspace = ?`,
  );
  const join = sqlite.query<null, [number, number, string, number]>(
    `INSERT INTO list_members (list, status, contact, added_at)
     SELECT ?1, c.status, c.seq, ?2 FROM json_each(?3) AS wanted CROSS JOIN contacts AS c ON c.id = wanted.value
     WHERE c.workspace = ?4 AND c.status IN ${JOINING}
     ON CONFLICT DO NOTHING`,
  );
  const joinBySeq = sqlite.query<null, [number, number, string]>(
    `INSERT INTO list_members (list, status, contact, added_at)
     SELECT ?1, c.status, c.seq, ?2 FROM json_each(?3) AS wanted CROSS JOIN contacts AS c ON c.seq = wanted.value
     WHERE c.status IN ${JOINING}
     ON CONFLICT DO NOTHING`,
  );
  const contactSeq = sqlite.query<Row<typeof contacts, "seq">, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND id = ?",
  );
  const leave = sqlite.query<null, [number, number]>(
    "DELETE FROM list_members WHERE contact = ? AND list = ?",
  );

  return {
    /** Adds whoever may join; nobody where `check` refuses. See `ListStore.addContacts`. */
    add(
      workspace: number,
      list: number,
      ids: readonly string[],
      check: (known: ReadonlySet<string>) => Refusal | null,
      at: number,
    ): Result<{ added: number; skipped: number }> {
      const wanted = JSON.stringify(ids);
      const rows = known.all(wanted, workspace);
      const refusal = check(new Set(rows.map(({ id }) => id)));
      if (refusal !== null) return { ok: false, refusal };
      join.run(list, at, wanted, workspace);
      const added = rows.filter(({ status }) => JOINING_STATUSES.includes(status)).length;
      return accept({ added, skipped: rows.length - added });
    },

    /** Adds those of these contacts, by the numbers of their rows, who may join. */
    addRows(list: number, seqs: readonly number[], at: number): void {
      joinBySeq.run(list, at, JSON.stringify(seqs));
    },

    /** False: no such contact in the workspace. */
    remove(workspace: number, list: number, contactId: string): boolean {
      const row = contactSeq.get(workspace, contactId);
      if (row !== null) leave.run(row.seq, list);
      return row !== null;
    },
  };
}
