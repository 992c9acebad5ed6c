import type { Database } from "bun:sqlite";
import { accept, type Refusal, type Result } from "#core/errors/errors.ts";
import { JOINING_STATUSES } from "#lists/joining.ts";
import { slicesOf } from "#storage/common/engine/slices-of.ts";
import { HAS_LEFT } from "#storage/common/lists/has-left.ts";
import { contactSeq } from "#storage/sqlite/contacts/contact-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import { listDepartures } from "./list-departures.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

const JOINING = `(${JOINING_STATUSES.map((status) => `'${status}'`).join(", ")})`;

type Joining = {
  readonly workspace: number;
  readonly list: number;
  readonly ids: readonly string[];
  readonly check: (known: ReadonlySet<string>) => Refusal | null;
  readonly at: number;
};

type Joined = Result<{ added: number; skipped: number }>;

/** Some milliseconds of work. */
export const MEMBERS_A_SLICE = 500;

const JOIN_BY_SEQ = `INSERT INTO list_members (list, status, contact, added_at)
  SELECT ?1, c.status, c.seq, ?2 FROM contacts AS c WHERE c.seq = ?3 AND c.status IN ${JOINING}
  ON CONFLICT DO NOTHING`;

const JOIN_UNLESS_LEFT = `INSERT INTO list_members (list, status, contact, added_at)
  SELECT l.seq, c.status, c.seq, ?2 FROM lists AS l CROSS JOIN json_each(?3) AS wanted
  CROSS JOIN contacts AS c ON c.seq = wanted.value
  WHERE l.seq = ?1 AND c.status IN ${JOINING} AND NOT ${HAS_LEFT}
  ON CONFLICT DO NOTHING`;

const LEFT = `SELECT ${HAS_LEFT} AS hasLeft FROM lists AS l CROSS JOIN contacts AS c
  WHERE l.workspace = ?1 AND l.id = ?2 AND c.workspace = ?1 AND c.id = ?3`;

/** The members of a list, on an open transaction. Ids are passed as JSON arrays, many per statement. */
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
  const joinBySeq = sqlite.query<null, [number, number, number]>(JOIN_BY_SEQ);
  const joinUnlessLeft = sqlite.query<null, [number, number, string]>(JOIN_UNLESS_LEFT);
  const left = sqlite.query<{ hasLeft: number }, [number, string, string]>(LEFT);
  const seqOf = contactSeq(sqlite);
  const departures = listDepartures(sqlite);

  return {
    /** Adds those who may join, in slices; nobody if `check` refuses. See `ListStore.addContacts`. */
    *add({ workspace, list, ids, check, at }: Joining): Generator<void, Joined, void> {
      const slices = [...slicesOf(ids, MEMBERS_A_SLICE)].map((slice) => JSON.stringify(slice));
      const rows: ReturnType<typeof known.all> = [];
      const found = new Set<string>();
      for (const slice of slices) {
        for (const row of known.all(slice, workspace)) {
          rows.push(row);
          found.add(row.id);
        }
        yield;
      }
      const refusal = check(found);
      if (refusal !== null) return { ok: false, refusal };
      for (const slice of slices) {
        yield;
        join.run(list, at, slice, workspace);
      }
      const added = rows.filter(({ status }) => JOINING_STATUSES.includes(status)).length;
      return accept({ added, skipped: rows.length - added });
    },

    /** Adds those of these contacts, given by row number, who may join and have not left the list by themselves. */
    addRows(list: number, seqs: readonly number[], at: number): void {
      joinUnlessLeft.run(list, at, JSON.stringify(seqs));
    },

    /** Adds a contact by their own choice, if they may join. */
    addByChoice(list: number, seq: number, at: number): void {
      joinBySeq.run(list, at, seq);
    },

    /** See `ListStore.hasLeft`. */
    hasLeft: (workspace: number, listId: string, contactId: string): boolean =>
      left.get(workspace, listId, contactId)?.hasLeft === 1,

    /** False: no such contact in the workspace. */
    remove(workspace: number, list: number, contactId: string, at: number): boolean {
      const contact = seqOf(workspace, contactId);
      if (contact !== null) departures.leave(contact, list, at);
      return contact !== null;
    },
  };
}
