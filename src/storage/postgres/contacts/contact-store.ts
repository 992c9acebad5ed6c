import type { ContactStore, DecideUpsert, Upsert, Upserted } from "#contacts/store.ts";
import type { TagUse } from "#contacts/tag-uses.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { isUnreachable, type StorageError } from "#core/errors/storage-error.ts";
import { present } from "#core/present.ts";
import type { DecideFor } from "#storage/common/contacts/contact-batch.ts";
import { takenAddress } from "#storage/common/contacts/taken-address.ts";
import { decideOnNames } from "#storage/postgres/attributes/name-limit.ts";
import { consentLogPage } from "#storage/postgres/consent/consent-log.ts";
import { optOutWrite } from "#storage/postgres/consent/opt-out.ts";
import { gatheredByWorkspace } from "#storage/postgres/engine/gathered-by-workspace.ts";
import { LostRace, violates } from "#storage/postgres/engine/failures.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { joinUnlessLeft } from "#storage/postgres/lists/list-members.ts";
import { isHidden } from "#storage/postgres/lists/hidden-lists.ts";
import { holdList } from "#storage/postgres/lists/list-seq.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { listMembers, lists } from "#storage/postgres/schema/schema.ts";
import { writeContacts } from "./contact-batch.ts";
import { contactPage, ofTag, ofWorkspace } from "./contact-pages.ts";
import { contactRemoval } from "./contact-removal.ts";
import { CONTACTS, contactOf, type ContactRow } from "./contact-row.ts";
import { contactSeq } from "./contact-seq.ts";
import { lastOpens } from "./last-opens.ts";
import { saveAll } from "./contact-writes.ts";

type DecidedUpsert = Upsert & { readonly decide: DecideUpsert };
type MembershipRow = Row<typeof lists, "id" | "name" | "createdAt"> & Row<typeof listMembers, "addedAt">;

const BY_ID = `${CONTACTS} WHERE c.workspace = $1 AND c.id = $2`;
const TAG_USES = `SELECT tag, sum(n)::int8 AS contacts FROM contact_counts WHERE workspace = $1 AND tag >= $2 AND tag <> ''
  GROUP BY tag HAVING sum(n) > 0 ORDER BY tag LIMIT $3`;
const LISTS = `SELECT l.id, l.name, l.created_at, m.added_at
  FROM list_members AS m JOIN lists AS l ON l.seq = m.list WHERE m.contact = $1 AND NOT ${isHidden("l.id")} ORDER BY m.list DESC`;

export function contactStore(database: PostgresDatabase): ContactStore {
  const { write, seqOf } = database;
  return {
    ...reads(database),
    ...upserts(database),
    change: changing(database),
    delete: contactRemoval(database),

    async optOut({ workspaceId, ...optOut }, decide) {
      const workspace = await seqOf(workspaceId);
      return await write((tx) => optOutWrite(tx, workspace, optOut, decide));
    },
  };
}

function reads({
  read,
  seqOf,
}: PostgresDatabase): Pick<ContactStore, "find" | "page" | "lastOpens" | "tagUses" | "lists" | "consentLog"> {
  return {
    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const row = await read((session) => session.row<ContactRow>(BY_ID, [workspace, id]));
      return row && contactOf(row);
    },

    async tagUses(workspaceId, from, most) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => session.rows<TagUse>(TAG_USES, [workspace, from, most]));
    },

    async lastOpens(workspaceId, ids) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => lastOpens(session, workspace, ids));
    },

    async page(workspaceId, filter, request) {
      const workspace = await seqOf(workspaceId);
      const set = filter.tag === null ? ofWorkspace(workspace) : ofTag(workspace, filter.tag);
      return await read((session) => contactPage(session, set, filter, request));
    },

    async lists(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await read(async (session) => {
        const contact = await contactSeq(session, workspace, id);
        return contact === null ? null : await session.rows<MembershipRow>(LISTS, [contact]);
      });
    },

    async consentLog(workspaceId, filter, request) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => consentLogPage(session, workspace, filter, request));
    },
  };
}

function upserts({
  write,
  seqOf,
}: PostgresDatabase): Pick<ContactStore, "upsert" | "upsertAll" | "rowsForWebhooks"> {
  const upsert = gatheredByWorkspace(write, (tx, workspace, people: readonly DecidedUpsert[]) =>
    writeContacts(tx, workspace, people, ({ decide }, found) => decide(found)),
  );
  return {
    upsert: async (workspaceId, person, decide) =>
      await upsert(await seqOf(workspaceId), { ...person, decide }),

    // The rows are the database's work, and other requests go on meanwhile.
    rowsForWebhooks: async () => 0,

    async upsertAll(workspaceId, slices, joining, decide) {
      const workspace = await seqOf(workspaceId);
      const written: PromiseSettledResult<Result<Upserted>[] | null>[] = [];
      let lost: StorageError | null = null;
      // One after the other: transactions that run at the same time would commit in any order.
      for (const people of slices) {
        // Where the database does not answer, each of them would wait as long.
        const writing: Promise<Result<Upserted>[] | null> =
          lost === null
            ? write((tx) => writeSlice(tx, workspace, people, joining, decide))
            : Promise.reject(lost);
        const [one] = await Promise.allSettled([writing]);
        if (one.status === "rejected" && isUnreachable(one.reason)) lost = one.reason;
        written.push(one);
      }
      return written;
    },
  };
}

async function writeSlice<T extends Upsert>(
  tx: Session,
  workspace: number,
  people: readonly T[],
  joining: { readonly listId: string; readonly at: Instant } | null,
  decide: DecideFor<T>,
): Promise<Result<Upserted>[] | null> {
  const list = joining && (await holdList(tx, workspace, joining.listId));
  if (joining !== null && list === null) return null;
  const written = await writeContacts(tx, workspace, people, decide);
  const seqs = written.flatMap((one) => (one.ok ? [one.value.seq] : []));
  if (joining !== null && list !== null) await joinUnlessLeft(tx, list, seqs, joining.at);
  return written;
}

const changing =
  ({ write, seqOf }: PostgresDatabase): ContactStore["change"] =>
  async (workspaceId, id, { setsAttributes }, decide) => {
    const workspace = await seqOf(workspaceId);
    return await write(async (tx) => {
      // What belongs to the contact is read after it is locked, so that nobody changes it meanwhile.
      await tx.run("SELECT FROM contacts WHERE workspace = $1 AND id = $2 FOR NO KEY UPDATE", [
        workspace,
        id,
      ]);
      const row = await tx.row<ContactRow>(BY_ID, [workspace, id]);
      if (row === null) return null;
      const contact = contactOf(row);
      const decideOn = (attributeHolders: ReadonlyMap<string, number>) => [
        decide({ contact, attributeHolders }),
      ];
      const [decided] = setsAttributes ? await decideOnNames(tx, workspace, decideOn) : decideOn(new Map());
      const planned = present(decided, "decision on a contact");
      if (!planned.ok) return planned;
      const { email } = planned.value.contact;
      if (email !== contact.email && (await hasAddress(tx, workspace, email))) return takenAddress();
      const [changed] = await saveAll(tx, workspace, [{ row, write: planned.value }]).catch(lostAddress);
      return accept(present(changed, "contact that was just changed"));
    });
  };

async function hasAddress(tx: Session, workspace: number, email: string): Promise<boolean> {
  const values = [workspace, email];
  return (await tx.row("SELECT seq FROM contacts WHERE workspace = $1 AND email = $2", values)) !== null;
}

/** Another contact got the address at this moment: the change runs again and sees it. */
function lostAddress(error: unknown): never {
  throw violates(error, "contacts_workspace_email_key") ? new LostRace("the address is taken") : error;
}
