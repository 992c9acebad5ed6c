import type { Database } from "bun:sqlite";
import type { Instant } from "#core/clock.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactWrite } from "#contacts/contact-write.ts";
import { consentWrites } from "./consent-writes.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "./contact-row.ts";
import { searchTextOf } from "./search-text.ts";
import { startWrites } from "./start-writes.ts";

/**
 * One contact's row and everything its write brings with it (suppression, list removals, consent entry, triggers), for the stores that
 * cause one: each calls these inside its own open transaction.
 */
export function contactWrites(sqlite: Database) {
  const byEmail = sqlite.query<ContactRow, [number, string]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.workspace = ? AND c.email = ?`,
  );
  const insert = sqlite.query<{ seq: number }, (number | string)[]>(
    `INSERT INTO contacts (email, first_name, last_name, tags, status, search, id, created_at, workspace)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
  );
  const update = sqlite.query<null, (number | string)[]>(
    "UPDATE contacts SET email = ?, first_name = ?, last_name = ?, tags = ?, status = ?, search = ? WHERE seq = ?",
  );
  const { suppress, leaveLists, logConsent } = consentWrites(sqlite);
  const start = startWrites(sqlite);

  const writeConsent = (workspace: number, seq: number, contact: Contact, write: ContactWrite): void => {
    for (const address of write.suppress?.addresses ?? []) {
      suppress(workspace, address, write.suppress!.reason, write.at);
    }
    if (write.leaveLists) leaveLists(seq);
    if (write.consentEntry !== null) logConsent(workspace, contact, write.consentEntry);
    start(workspace, seq, write.triggers, { event: null, depth: 0, at: write.at });
  };

  return {
    byEmail: (workspace: number, email: string): ContactRow | null => byEmail.get(workspace, email),

    /** Changes a row that is there. */
    save(workspace: number, row: ContactRow, write: ContactWrite): Contact {
      const contact = { ...contactOf(row), ...write.contact };
      update.run(...columnsOf(write.contact), row.seq);
      writeConsent(workspace, row.seq, contact, write);
      return contact;
    },

    /** Adds a row; `fresh` is what only a new one gets. */
    add(
      workspace: number,
      fresh: { readonly id: string; readonly createdAt: Instant },
      write: ContactWrite,
    ): { contact: Contact; seq: number } {
      const contact = { ...fresh, ...write.contact };
      const { seq } = insert.get(...columnsOf(contact), contact.id, contact.createdAt, workspace)!;
      writeConsent(workspace, seq, contact, write);
      return { contact, seq };
    },
  };
}

function columnsOf({ email, firstName, lastName, tags, status }: ContactWrite["contact"]): string[] {
  return [email, firstName, lastName, JSON.stringify(tags), status, searchTextOf(email, firstName, lastName)];
}
