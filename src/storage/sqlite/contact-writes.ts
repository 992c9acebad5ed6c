import type { Database } from "bun:sqlite";
import type { Instant } from "#core/clock.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactWrite } from "#contacts/contact-write.ts";
import { consentWrites } from "./consent-writes.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "./contact-row.ts";
import { searchTextOf } from "./search-text.ts";
import { startWrites } from "./start-writes.ts";

/** A contact to add; `fresh` is what only a new one gets. */
export type NewContactWrite = {
  readonly fresh: { readonly id: string; readonly createdAt: Instant };
  readonly write: ContactWrite;
};

/**
 * One contact's row and everything its write brings with it (suppression, list removals, consent entry, triggers), for the stores that
 * cause one: each calls these inside its own open transaction.
 */
export function contactWrites(sqlite: Database) {
  const byEmail = sqlite.query<ContactRow, [number, string]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.workspace = ? AND c.email = ?`,
  );
  const update = sqlite.query<null, (number | string)[]>(
    "UPDATE contacts SET email = ?, first_name = ?, last_name = ?, tags = ?, status = ?, search = ? WHERE seq = ?",
  );
  // One statement for all: the search index writes out what it has gathered whenever another statement begins.
  const insertAll = sqlite.query<{ seq: number; id: string }, [string, number]>(
    `INSERT INTO contacts (email, first_name, last_name, tags, status, search, id, created_at, workspace)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, ?2
     FROM json_each(?1) RETURNING seq, id`,
  );
  const { suppress, leaveLists, logConsent } = consentWrites(sqlite);
  const startsOf = startWrites(sqlite);

  const writeConsent = (
    workspace: number,
    seq: number,
    contact: Contact,
    write: ContactWrite,
    start = startsOf(workspace),
  ): void => {
    for (const address of write.suppress?.addresses ?? []) {
      suppress(workspace, address, write.suppress!.reason, write.at);
    }
    if (write.leaveLists) leaveLists(seq);
    if (write.consentEntry !== null) logConsent(workspace, contact, write.consentEntry);
    start(seq, write.triggers, { event: null, depth: 0, at: write.at });
  };

  /** Adds rows, in their order. */
  const addAll = (
    workspace: number,
    added: readonly NewContactWrite[],
  ): { contact: Contact; seq: number }[] => {
    if (added.length === 0) return [];
    const contacts = added.map(({ fresh, write }) => ({ ...fresh, ...write.contact }));
    const columns = contacts.map((contact) => [...columnsOf(contact), contact.id, contact.createdAt]);
    const rows = insertAll.all(JSON.stringify(columns), workspace);
    const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
    const start = startsOf(workspace);
    return contacts.map((contact, i) => {
      const seq = seqs.get(contact.id)!;
      writeConsent(workspace, seq, contact, added[i]!.write, start);
      return { contact, seq };
    });
  };

  return {
    byEmail: (workspace: number, email: string): ContactRow | null => byEmail.get(workspace, email),

    /** Changes a row that is there. */
    save(workspace: number, row: ContactRow, write: ContactWrite): Contact {
      const contact = { ...contactOf(row), ...write.contact };
      if (!isAsStored(row, write.contact)) update.run(...columnsOf(write.contact), row.seq);
      writeConsent(workspace, row.seq, contact, write);
      return contact;
    },

    addAll,

    /** Adds one. */
    add: (workspace: number, added: NewContactWrite): { contact: Contact; seq: number } =>
      addAll(workspace, [added])[0]!,
  };
}

function columnsOf({ email, firstName, lastName, tags, status }: ContactWrite["contact"]): string[] {
  return [email, firstName, lastName, JSON.stringify(tags), status, searchTextOf(email, firstName, lastName)];
}

/** Then nothing is written: a file that is imported again costs reading only. */
function isAsStored(
  row: ContactRow,
  { email, firstName, lastName, tags, status }: ContactWrite["contact"],
): boolean {
  return (
    row.email === email &&
    row.first_name === firstName &&
    row.last_name === lastName &&
    row.status === status &&
    row.tags === JSON.stringify(tags)
  );
}
