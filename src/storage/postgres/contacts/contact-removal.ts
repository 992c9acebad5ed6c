import type { ContactStore } from "#contacts/store.ts";
import { voidLinks } from "#storage/postgres/consent/consent-writes.ts";
import { suppressAll } from "#storage/postgres/consent/suppression-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { contactOutbox } from "#storage/postgres/webhooks/contact-outbox.ts";
import { CONTACTS, contactOf, type ContactRow } from "./contact-row.ts";

/** Waits for clicks that are being written: the addresses of this contact's own links are blanked there too. */
const LOCK_MESSAGES = "SELECT FROM deliveries WHERE contact = $1 ORDER BY seq FOR NO KEY UPDATE";

/** `ContactStore.delete`. Everything that belongs to a contact is deleted with its row. */
export const contactRemoval =
  ({ write, seqOf }: PostgresDatabase): ContactStore["delete"] =>
  async (workspaceId, id, suppressionOf, at) => {
    const workspace = await seqOf(workspaceId);
    return await write(async (tx) => {
      // What belongs to the contact is read after it is locked, so that nobody changes it meanwhile.
      await tx.run("SELECT FROM contacts WHERE workspace = $1 AND id = $2 FOR UPDATE", [workspace, id]);
      const row = await tx.row<ContactRow>(`${CONTACTS} WHERE c.workspace = $1 AND c.id = $2`, [
        workspace,
        id,
      ]);
      if (row === null) return false;
      await tx.run(LOCK_MESSAGES, [row.seq]);
      const contact = contactOf(row);
      const { email: address } = contact;
      const reason = suppressionOf(contact);
      // Only the API deletes contacts.
      if (reason !== null) await suppressAll(tx, workspace, [{ address, reason, source: "api", at }]);
      await voidLinks(tx, workspace, [{ address, at }]);
      const outbox = contactOutbox(tx, workspace);
      await outbox.deleted(contact, at);
      await outbox.book();
      await tx.run("DELETE FROM contacts WHERE seq = $1", [row.seq]);
      return true;
    });
  };
