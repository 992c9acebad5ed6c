import type { Database } from "bun:sqlite";
import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { ContactStore, DecideUpsert, Upsert, Upserted } from "#contacts/store.ts";
import type { DecideFor } from "#storage/common/contacts/contact-batch.ts";
import { takenAddress } from "#storage/common/contacts/taken-address.ts";
import { attributeHolders } from "#storage/sqlite/attributes/attribute-store.ts";
import { consentLogPage } from "#storage/sqlite/consent/consent-log.ts";
import { contactSeq } from "./contact-seq.ts";
import { contactBatches } from "./contact-batch.ts";
import { OF_TAG, OF_WORKSPACE } from "./contact-page-sql.ts";
import { contactPages } from "./contact-pages.ts";
import { contactRemoval, hasLongPast } from "./contact-removal.ts";
import { contactWrites } from "./contact-writes.ts";
import { contactsAWrite } from "./contacts-a-write.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "./contact-row.ts";
import type { Contact } from "#contacts/contact.ts";
import { listMembers } from "#storage/sqlite/lists/list-members.ts";
import { listSeq } from "#storage/sqlite/lists/list-seq.ts";
import {
  inATurnOrSlices,
  inOneTurn,
  newLine,
  orInSlices,
  inATurnUnless,
} from "#storage/sqlite/engine/writes/in-slices.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";
import { gatheredByWorkspace } from "#storage/sqlite/engine/writes/gathered-steps.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { optOutWrite } from "#storage/sqlite/consent/opt-out.ts";
import { lastOpens } from "./last-opens.ts";
import { tagUses } from "./tag-uses.ts";
import { rowsForWebhooks } from "#storage/sqlite/webhooks/outbox-writes.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { listMembers as memberships, lists } from "#storage/sqlite/schema/schema.ts";

type MembershipRow = Row<typeof lists, "id" | "name" | "createdAt"> & Row<typeof memberships, "addedAt">;
type DecidedUpsert = Upsert & { readonly decide: DecideUpsert };

export function contactStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ContactStore {
  return {
    ...reads(database, seqOf),
    ...upserts(database, seqOf),
    ...changes(database, seqOf),
    optOut(mailed, decide) {
      const workspace = seqOf(mailed.workspaceId);
      return inATurnOrSlices(database, (connection) => optOutWrite(connection)(workspace, mailed, decide));
    },
  };
}

function contactById(sqlite: Database): (workspace: number, id: string) => ContactRow | null {
  const byId = sqlite.query<ContactRow, [number, string]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.workspace = ? AND c.id = ?`,
  );
  return (workspace, id) => byId.get(workspace, id);
}

function reads(
  database: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<ContactStore, "find" | "page" | "lastOpens" | "tagUses" | "lists" | "consentLog"> {
  const { sqlite } = database;
  const byId = contactById(sqlite);
  const pages = contactPages(database);
  const seqOfContact = contactSeq(sqlite);
  const opensOf = lastOpens(sqlite);
  const tagsOf = tagUses(sqlite);
  const listsOf = sqlite.query<MembershipRow, [number]>(
    `SELECT l.id, l.name, l.created_at AS createdAt, m.added_at AS addedAt
     FROM list_members AS m CROSS JOIN lists AS l ON l.seq = m.list WHERE m.contact = ? ORDER BY m.list DESC`,
  );

  return {
    find: async (workspaceId, id) => {
      const row = byId(seqOf(workspaceId), id);
      return row === null ? null : contactOf(row);
    },

    page: async (workspaceId, filter, request) => {
      const keys = { workspace: seqOf(workspaceId), list: 0, tag: filter.tag ?? "" };
      return pages.page(filter.tag === null ? OF_WORKSPACE : OF_TAG, keys, filter, request);
    },

    lastOpens: async (workspaceId, ids) => await opensOf(seqOf(workspaceId), ids),

    tagUses: async (workspaceId, from, most) => tagsOf(seqOf(workspaceId), from, most),

    lists: async (workspaceId, id) => {
      const contact = seqOfContact(seqOf(workspaceId), id);
      return contact === null ? null : listsOf.all(contact);
    },

    consentLog: async (workspaceId, filter, request) =>
      consentLogPage(sqlite, seqOf(workspaceId), filter, request),
  };
}

function upserts(
  database: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<ContactStore, "upsert" | "upsertAll" | "rowsForWebhooks"> {
  const { sqlite, writes } = database;
  const rowsOf = rowsForWebhooks(sqlite);
  const together = (connection: Database, workspace: number, people: readonly DecidedUpsert[]) =>
    contactBatches(connection)(workspace, people, ({ decide }, found) => decide(found));
  const gathered = gatheredByWorkspace(
    writes,
    (workspace, people: readonly DecidedUpsert[]) => inOneTurn(together(sqlite, workspace, people)),
    contactsAWrite(sqlite),
  );

  return {
    async upsert(workspaceId, person, decide) {
      const workspace = seqOf(workspaceId);
      const decided = { ...person, decide };
      return await orInSlices(database, gathered.of(workspace).now(decided), function* (connection) {
        return present((yield* together(connection, workspace, [decided]))[0], "answer about a contact");
      });
    },

    rowsForWebhooks: async (workspaceId) => rowsOf(seqOf(workspaceId)),

    // Queued together, they share commits, and the queue keeps their order.
    upsertAll(workspaceId, slices, joining, decide) {
      const line = newLine();
      const written = slices.map((people) =>
        inATurnOrSlices(
          database,
          (connection) => upsertSlice(connection, seqOf(workspaceId), people, joining, decide),
          line,
        ),
      );
      return Promise.allSettled(written);
    },
  };
}

type UpsertAll = Parameters<ContactStore["upsertAll"]>;

/** One slice of `ContactStore.upsertAll` on an open transaction. It yields where people leave very many lists. */
function* upsertSlice<T extends Upsert>(
  sqlite: Database,
  workspace: number,
  people: readonly T[],
  joining: UpsertAll[2],
  decide: DecideFor<T>,
): Generator<void, Result<Upserted>[] | null, void> {
  const list = joining && listSeq(sqlite)(workspace, joining.listId);
  if (joining !== null && list === null) return null;
  const written = yield* contactBatches(sqlite)(workspace, people, decide);
  const seqs = written.flatMap((one) => (one.ok ? [one.value.seq] : []));
  if (joining !== null && list !== null) listMembers(sqlite).addRows(list, seqs, joining.at);
  searchIndex(sqlite).advance(2 * people.length);
  return written;
}

type Change = Parameters<ContactStore["change"]>;

/** `ContactStore.change` on an open transaction. It yields where somebody leaves very many lists. */
function* contactChange(
  sqlite: Database,
  workspace: number,
  ...[id, { setsAttributes }, decide]: [Change[1], Change[2], Change[3]]
): Generator<void, Result<Contact> | null, void> {
  const { byEmail, leaveMany, save } = contactWrites(sqlite);
  const row = contactById(sqlite)(workspace, id);
  if (row === null) return null;
  const holders = setsAttributes ? attributeHolders(sqlite)(workspace) : new Map<string, number>();
  const write = decide({ contact: contactOf(row), attributeHolders: holders });
  if (!write.ok) return write;
  const holder = byEmail(workspace, write.value.contact.email);
  if (holder !== null && holder.seq !== row.seq) return takenAddress();
  yield* leaveMany([{ row, write: write.value }]);
  return accept(save(workspace, row, write.value));
}

function changes(database: SqliteDatabase, seqOf: WorkspaceSeq): Pick<ContactStore, "change" | "delete"> {
  const { sqlite } = database;
  const seqOfContact = contactSeq(sqlite);

  return {
    change(workspaceId, id, sets, decide) {
      const workspace = seqOf(workspaceId);
      return inATurnOrSlices(database, (connection) =>
        contactChange(connection, workspace, id, sets, decide),
      );
    },

    async delete(workspaceId, id, suppressionToAdd, at) {
      const workspace = seqOf(workspaceId);
      const contact = seqOfContact(workspace, id);
      if (contact === null) return false;
      const slices: Slices<boolean> = (connection) =>
        contactRemoval(connection, { workspace, id, suppressionToAdd, at });
      return await inATurnUnless(database, () => hasLongPast(sqlite, contact), slices);
    },
  };
}
