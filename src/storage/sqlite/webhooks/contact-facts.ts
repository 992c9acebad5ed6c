import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Contact, ContactStatus } from "#contacts/contact.ts";
import { present } from "#core/present.ts";
import { shownContact } from "#contacts/shown-contact.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { outboxWrites, type Outbox } from "./outbox-writes.ts";

/** A contact before and after a change. */
type Changed = { readonly before: Contact; readonly after: Contact; readonly at: number };

/** Tells webhooks what becomes of contacts, on the transaction that writes it. */
export const contactFacts = oncePerDatabase((sqlite) => {
  const newOutbox = outboxWrites(sqlite);
  const bySeq = sqlite.query<ContactRow, [number]>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.seq = ?`,
  );
  const stored = (seq: number): (() => string) =>
    once(() => dataOf(contactOf(present(bySeq.get(seq), "contact"))));

  const tell = (workspace: number, write: (outbox: Outbox) => void): void => {
    const outbox = newOutbox();
    if (!outbox.listens(workspace)) return;
    write(outbox);
    outbox.book();
  };

  return {
    made: (workspace: number, contacts: readonly Contact[]): void =>
      tell(workspace, (outbox) => {
        for (const contact of contacts) {
          const data = once(() => dataOf(contact));
          outbox.add(workspace, "contact.created", contact.createdAt, data);
          if (contact.status === "SUBSCRIBED")
            outbox.add(workspace, "contact.subscribed", contact.createdAt, data);
        }
      }),

    /** Only those of them that did change. */
    changed: (workspace: number, changes: () => readonly Changed[]): void =>
      tell(workspace, (outbox) => {
        for (const { before, after, at } of changes()) {
          if (isSame(before, after)) continue;
          addChange(
            outbox,
            workspace,
            { before: before.status, after: after.status, at },
            once(() => dataOf(after)),
          );
        }
      }),

    /** The contact of this row is written anew, in another status or the same. */
    rewritten: (workspace: number, seq: number, status: Status): void =>
      tell(workspace, (outbox) => addChange(outbox, workspace, status, stored(seq))),

    /** Call it while the row is there. */
    deleted: (workspace: number, contact: Contact, at: number): void =>
      tell(workspace, (outbox) => outbox.add(workspace, "contact.deleted", at, () => dataOf(contact))),
  };
});

type Status = { readonly before: ContactStatus; readonly after: ContactStatus; readonly at: number };

function addChange(
  outbox: Outbox,
  workspace: number,
  { before, after, at }: Status,
  data: () => string,
): void {
  outbox.add(workspace, "contact.updated", at, data);
  if (before === after) return;
  if (after === "SUBSCRIBED") outbox.add(workspace, "contact.subscribed", at, data);
  if (after === "UNSUBSCRIBED") outbox.add(workspace, "contact.unsubscribed", at, data);
}

const dataOf = (contact: Contact): string => JSON.stringify({ contact: shownContact(contact) });

const isSame = (before: Contact, after: Contact): boolean =>
  JSON.stringify(shownContact(before)) === JSON.stringify(shownContact(after)) &&
  JSON.stringify(before.attributes) === JSON.stringify(after.attributes);

/** Several webhooks and types share one text. */
function once(make: () => string): () => string {
  let made: string | null = null;
  return () => (made ??= make());
}
