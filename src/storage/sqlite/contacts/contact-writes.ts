import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { NO_ATTRIBUTES } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactWrite } from "#contacts/contact-plan.ts";
import { bulkInsert } from "#storage/sqlite/engine/writes/bulk-insert.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { contactActivity } from "#storage/sqlite/stats/contact-activity.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "./contact-row.ts";
import {
  isAsStored,
  storedFields,
  WRITTEN_COLUMNS,
  writtenValues,
} from "#storage/common/contacts/stored-fields.ts";
import type { NewContactWrite, WrittenContact } from "#storage/common/contacts/contact-write.ts";
import { attributeWrites } from "#storage/sqlite/attributes/attribute-writes.ts";
import { listDepartures } from "#storage/sqlite/lists/list-departures.ts";
import { startWrites } from "#storage/sqlite/automations/start-writes.ts";
import { contactOutbox } from "#storage/sqlite/webhooks/contact-outbox.ts";
import { present } from "#core/present.ts";

/** A contact to change, as it was read. */
type ContactChangeWrite = { readonly row: ContactRow; readonly write: ContactWrite };

/**
 * Writes a contact's row and everything that follows from it: attributes, suppression, list removals, consent
 * entry, triggers. Each store that changes contacts calls this inside its own open transaction.
 */
export const contactWrites = oncePerDatabase((sqlite) => {
  const byEmail = sqlite.query<ContactRow, [number, string]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.workspace = ? AND c.email = ?`,
  );
  const { addAll, saveAll } = manyWrites(sqlite);
  const departures = listDepartures(sqlite);

  return {
    byEmail: (workspace: number, email: string): ContactRow | null => byEmail.get(workspace, email),
    saveAll,
    addAll,

    /** Before `saveAll`, in the same transaction: takes those who leave very many lists off them, in slices. */
    *leaveMany(changes: readonly ContactChangeWrite[]): Generator<void, void, void> {
      const leaving = changes.filter(({ write }) => write.leaveLists);
      yield* departures.leaveMany(leaving.map(({ row, write }) => ({ contact: row.seq, at: write.at })));
    },

    /** Changes one row. */
    save: (workspace: number, row: ContactRow, write: ContactWrite): Contact =>
      present(saveAll(workspace, [{ row, write }])[0], "contact that was just changed"),

    /** Changes the row, or adds a new one. Returns its number. */
    put(workspace: number, row: ContactRow | null, { fresh, write }: NewContactWrite): number {
      if (row === null)
        return present(addAll(workspace, [{ fresh, write }])[0], "contact that was just made").seq;
      saveAll(workspace, [{ row, write }]);
      return row.seq;
    },
  };
});

/** The same for many at once. */
function manyWrites(sqlite: Database) {
  const update = sqlite.query<null, (number | string)[]>(
    `UPDATE contacts SET ${WRITTEN_COLUMNS.map((column) => `${column} = ?`).join(", ")} WHERE seq = ?`,
  );
  const insertAll = bulkInsert(sqlite, "contacts", [...WRITTEN_COLUMNS, "id", "created_at", "workspace"]);
  const writeConsequences = consequences(sqlite);
  const activity = contactActivity(sqlite);
  const outbox = contactOutbox(sqlite);

  /** Adds rows, in their order. */
  const addAll = (
    workspace: number,
    added: readonly NewContactWrite[],
  ): { contact: Contact; seq: number }[] => {
    const contacts = added.map(({ fresh, write }) => ({ ...fresh, ...write.contact }));
    const seqs = insertAll(
      contacts.map((contact) => [...writtenValues(contact), contact.id, contact.createdAt, workspace]),
    );
    const written = contacts.map((contact, i) => ({
      contact,
      seq: present(seqs[i], "row number of a new contact"),
      write: present(added[i], "new contact").write,
      before: NO_ATTRIBUTES,
    }));
    writeConsequences(workspace, written);
    activity.made(
      workspace,
      added.map(({ fresh }) => fresh.createdAt),
    );
    outbox.made(workspace, contacts);
    return written;
  };

  const change = (workspace: number, changes: readonly ContactChangeWrite[]): Contact[] => {
    const written = changes.map(({ row, write }) => {
      const before = contactOf(row);
      if (!isAsStored(row, storedFields(write.contact))) update.run(...writtenValues(write.contact), row.seq);
      activity.changed(workspace, before.status, write.contact.status, write.at);
      return { contact: { ...before, ...write.contact }, seq: row.seq, write, before: before.attributes };
    });
    writeConsequences(workspace, written);
    const contacts = written.map(({ contact }) => contact);
    outbox.changed(workspace, () =>
      changes.map(({ row, write: { at } }, i) => ({
        before: contactOf(row),
        after: present(contacts[i], "contact that was just changed"),
        at,
      })),
    );
    return contacts;
  };

  /** Changes existing rows, in their order. A row that needs no change is returned as it was read. */
  const saveAll = (workspace: number, asked: readonly ContactChangeWrite[]): Contact[] => {
    const isChange = asked.map(({ row, write }) => !changesNothing(row, write));
    const changed = change(
      workspace,
      asked.filter((_, i) => isChange[i]),
    ).values();
    return asked.map(({ row }, i) =>
      isChange[i] ? present(changed.next().value, "contact that was just changed") : contactOf(row),
    );
  };

  return { addAll, saveAll };
}

/** Everything that a write changes apart from the contact's row. */
function consequences(sqlite: Database) {
  const { suppress, voidLinks, leaveLists, logConsents } = consentWrites(sqlite);
  const startsOf = startWrites(sqlite);
  const writeAttributes = attributeWrites(sqlite);

  return (workspace: number, written: readonly WrittenContact[]): void => {
    writeAttributes(
      workspace,
      written.map(({ contact, seq, before }) => ({ contact: seq, before, after: contact.attributes })),
    );
    const start = startsOf(workspace);
    for (const { seq, write } of written) {
      if (write.suppress !== null)
        for (const address of write.suppress.addresses)
          suppress(workspace, { address, ...write.suppress, at: write.at });
      for (const address of write.voidLinksOf) voidLinks(workspace, address, write.at);
      if (write.leaveLists) leaveLists(seq, write.at);
      start(seq, write.triggers, { event: null, depth: 0, at: write.at });
    }
    logConsents(
      workspace,
      written.flatMap(({ contact, write: { consentEntry: entry } }) =>
        entry === null ? [] : [{ person: contact, entry }],
      ),
    );
  };
}

/** Whether a write leaves the row unchanged, and nothing follows from it. Programs often send a contact again. */
const changesNothing = (row: ContactRow, write: ContactWrite): boolean =>
  isAsStored(row, storedFields(write.contact)) &&
  isSameAttributes(row, write.contact.attributes) &&
  write.suppress === null &&
  !write.leaveLists &&
  write.voidLinksOf.length === 0 &&
  write.consentEntry === null &&
  write.triggers.length === 0;

/** For two that differ only in how they are written, it may return false. */
const isSameAttributes = (row: ContactRow, after: Contact["attributes"]): boolean =>
  after === NO_ATTRIBUTES ? row.attributes === null : row.attributes === JSON.stringify(after);
