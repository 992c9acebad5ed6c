import { accept } from "#core/errors/errors.ts";
import { JOINING_STATUSES } from "#lists/joining.ts";
import type { ListStore } from "#lists/store.ts";
import { slicesOf } from "#storage/common/engine/slices-of.ts";
import { HAS_LEFT } from "#storage/common/lists/has-left.ts";
import { contactSeq } from "#storage/postgres/contacts/contact-seq.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts } from "#storage/postgres/schema/schema.ts";
import { leave } from "./list-departures.ts";
import { holdList } from "./list-seq.ts";

/** How many go to the driver in one turn of the event loop: 50,000 would block it for long. */
const MEMBERS_A_SLICE = 2_000;

const NUMBERS = "SELECT seq FROM contacts WHERE workspace = $1 AND id = ANY($2::text[])";
// In the order of their numbers, so that there are no deadlocks. Their status does not change until their memberships
// are written with it.
const HOLD = `SELECT seq, id, status FROM contacts WHERE seq = ANY($1::int8[]) ORDER BY seq FOR NO KEY UPDATE`;
const JOIN = `INSERT INTO list_members (list, contact, status, added_at)
  SELECT $1, c.seq, c.status, $2 FROM contacts AS c WHERE c.seq = ANY($3::int8[]) AND c.status = ANY($4::text[])
  ON CONFLICT DO NOTHING`;

const JOIN_UNLESS_LEFT = `INSERT INTO list_members (list, contact, status, added_at)
  SELECT l.seq, c.seq, c.status, $2 FROM lists AS l CROSS JOIN contacts AS c
  WHERE l.seq = $1 AND c.seq = ANY($3::int8[]) AND c.status = ANY($4::text[]) AND NOT ${HAS_LEFT}
  ON CONFLICT DO NOTHING`;

const LEFT = `SELECT 1 FROM lists AS l CROSS JOIN contacts AS c
  WHERE l.workspace = $1 AND l.id = $2 AND c.workspace = $1 AND c.id = $3 AND ${HAS_LEFT}`;

type Known = Row<typeof contacts, "seq" | "id" | "status">;

/** Adds those of these contacts who may join, on an open transaction that has locked them and the list. */
export async function join(
  tx: Session,
  list: number,
  contacts: readonly number[],
  at: number,
): Promise<void> {
  if (contacts.length > 0) await tx.run(JOIN, [list, at, contacts, JOINING_STATUSES]);
}

/** As `join`, without those who have left the list by themselves: for many who did not ask to join. */
export async function joinUnlessLeft(
  tx: Session,
  list: number,
  contacts: readonly number[],
  at: number,
): Promise<void> {
  if (contacts.length > 0) await tx.run(JOIN_UNLESS_LEFT, [list, at, contacts, JOINING_STATUSES]);
}

/** Who is on a list. */
export function listMembers({
  read,
  write,
  seqOf,
}: PostgresDatabase): Pick<ListStore, "addContacts" | "hasLeft" | "removeContact"> {
  return {
    async addContacts(workspaceId, id, ids, check, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const list = await holdList(tx, workspace, id);
        if (list === null) return null;
        const known = await holdKnown(tx, workspace, ids);
        const refusal = check(new Set(known.map((contact) => contact.id)));
        if (refusal !== null) return { ok: false, refusal };
        for (const slice of slicesOf(known, MEMBERS_A_SLICE))
          await join(
            tx,
            list,
            slice.map(({ seq }) => seq),
            at,
          );
        const added = known.filter(({ status }) => JOINING_STATUSES.includes(status)).length;
        return accept({ added, skipped: known.length - added });
      });
    },

    async hasLeft(workspaceId, id, contactId) {
      const workspace = await seqOf(workspaceId);
      return (await read((session) => session.rows(LEFT, [workspace, id, contactId]))).length > 0;
    },

    async removeContact(workspaceId, id, contactId, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const list = await holdList(tx, workspace, id);
        if (list === null) return "no list";
        const contact = await contactSeq(tx, workspace, contactId);
        if (contact === null) return "no contact";
        await leave(tx, contact, list, at);
        return "removed";
      });
    },
  };
}

/** Those of the contacts that the workspace has, locked until the transaction ends. */
async function holdKnown(tx: Session, workspace: number, ids: readonly string[]): Promise<Known[]> {
  const seqs: number[] = [];
  for (const slice of slicesOf([...new Set(ids)], MEMBERS_A_SLICE))
    for (const { seq } of await tx.rows<Pick<Known, "seq">>(NUMBERS, [workspace, slice])) seqs.push(seq);
  const inOrder = seqs.toSorted((a, b) => a - b);
  const known: Known[] = [];
  for (const slice of slicesOf(inOrder, MEMBERS_A_SLICE))
    for (const contact of await tx.rows<Known>(HOLD, [slice])) known.push(contact);
  return known;
}
