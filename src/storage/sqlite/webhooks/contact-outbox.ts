import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Contact } from "#contacts/contact.ts";
import { present } from "#core/present.ts";
import {
  contactData,
  factsOfChange,
  factsOfNew,
  isSameContact,
  type ContactChange,
  type StatusChange,
} from "#storage/common/webhooks/contact-outbox.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import type { EventType } from "#webhooks/event-type.ts";
import { outboxWrites, type Outbox } from "./outbox-writes.ts";

/** Writes the webhook messages about contacts, in the transaction of the change. */
export const contactOutbox = oncePerDatabase((sqlite) => {
  const newOutbox = outboxWrites(sqlite);
  const bySeq = sqlite.query<ContactRow, [number]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.seq = ?`,
  );

  const tell = (workspace: number, write: (outbox: Outbox) => void): void => {
    const outbox = newOutbox();
    if (!outbox.listens(workspace)) return;
    write(outbox);
    outbox.book();
  };
  const addAll = (
    outbox: Outbox,
    workspace: number,
    facts: readonly EventType[],
    at: number,
    contact: () => Contact,
  ): void => {
    const data = once(() => contactData(contact()));
    for (const type of facts) outbox.add(workspace, type, at, data);
  };
  /** The contact of this row is written again, with another status or the same. */
  const rewritten = (workspace: number, seq: number, { before, after, at }: StatusChange): void =>
    tell(workspace, (outbox) =>
      addAll(outbox, workspace, factsOfChange(before, after), at, () =>
        contactOf(present(bySeq.get(seq), "contact")),
      ),
    );

  return {
    made: (workspace: number, contacts: readonly Contact[]): void =>
      tell(workspace, (outbox) => {
        for (const contact of contacts)
          addAll(outbox, workspace, factsOfNew(contact.status), contact.createdAt, () => contact);
      }),

    /** Only for those of them that did change. */
    changed: (workspace: number, changes: () => readonly ContactChange[]): void =>
      tell(workspace, (outbox) => {
        for (const { before, after, at } of changes())
          if (!isSameContact(before, after))
            addAll(outbox, workspace, factsOfChange(before.status, after.status), at, () => after);
      }),

    rewritten,

    /** `rewritten` for the changes of one transaction: webhooks are looked up only once. */
    rewriting(workspace: number): (seq: number, status: StatusChange) => void {
      let listens: boolean | null = null;
      return (seq, status) => {
        listens ??= newOutbox().listens(workspace);
        if (listens) rewritten(workspace, seq, status);
      };
    },

    /** Call it while the row exists. */
    deleted: (workspace: number, contact: Contact, at: number): void =>
      tell(workspace, (outbox) => addAll(outbox, workspace, ["contact.deleted"], at, () => contact)),
  };
});

/** Several webhooks and types share one text. */
function once(make: () => string): () => string {
  let made: string | null = null;
  return () => (made ??= make());
}
