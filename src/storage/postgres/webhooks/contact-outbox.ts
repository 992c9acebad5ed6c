import type { Contact } from "#contacts/contact.ts";
import { present } from "#core/present.ts";
import type { Soon } from "#core/time/soon.ts";
import {
  contactData,
  factsOfChange,
  factsOfNew,
  isSameContact,
  type ContactChange,
  type StatusChange,
} from "#storage/common/webhooks/contact-outbox.ts";
import { CONTACTS, contactOf, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites } from "./outbox-writes.ts";

/** Writes the webhook messages about contacts, in the transaction of the change. Nothing is written before `book`. */
export function contactOutbox(tx: Session, workspace: number) {
  const outbox = outboxWrites(tx);

  const addAll = async (
    facts: readonly EventType[],
    at: number,
    contact: () => Soon<Contact>,
  ): Promise<void> => {
    if (!(await outbox.listens(workspace))) return;
    const data = contactData(await contact());
    for (const type of facts) await outbox.add(workspace, type, at, () => data);
  };

  return {
    made: (contact: Contact): Promise<void> =>
      addAll(factsOfNew(contact.status), contact.createdAt, () => contact),

    /** A contact that did not change is not reported. */
    async changed({ before, after, at }: ContactChange): Promise<void> {
      if ((await outbox.listens(workspace)) && !isSameContact(before, after))
        await addAll(factsOfChange(before.status, after.status), at, () => after);
    },

    /** The contact of this row was written again, with another status or the same. */
    rewritten: (seq: number, { before, after, at }: StatusChange): Promise<void> =>
      addAll(factsOfChange(before, after), at, async () =>
        contactOf(present(await tx.row<ContactRow>(`${CONTACTS} WHERE c.seq = $1`, [seq]), "contact")),
      ),

    deleted: (contact: Contact, at: number): Promise<void> => addAll(["contact.deleted"], at, () => contact),

    book: outbox.book,
  };
}
