import { NO_ATTRIBUTES } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactWrite } from "#contacts/contact-plan.ts";
import { present } from "#core/present.ts";
import {
  isAsStored,
  storedFields,
  WRITTEN_COLUMNS,
  writtenValues,
} from "#storage/common/contacts/stored-fields.ts";
import type { NewContactWrite, WrittenContact } from "#storage/common/contacts/contact-write.ts";
import { writeAttributes } from "#storage/postgres/attributes/attribute-writes.ts";
import { writeStarts } from "#storage/postgres/automations/start-writes.ts";
import { logConsents } from "#storage/postgres/consent/consent-entries.ts";
import { voidLinks } from "#storage/postgres/consent/consent-writes.ts";
import { suppressAll } from "#storage/postgres/consent/suppression-writes.ts";
import { LostRace } from "#storage/postgres/engine/failures.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { leaveLists } from "#storage/postgres/lists/list-departures.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts } from "#storage/postgres/schema/schema.ts";
import { contactActivity } from "#storage/postgres/stats/contact-activity.ts";
import { contactOutbox } from "#storage/postgres/webhooks/contact-outbox.ts";
import { CONTACTS, contactOf, type ContactRow } from "./contact-row.ts";

/** A contact to change, as it was read when it was locked. */
export type ContactChangeWrite = { readonly row: ContactRow; readonly write: ContactWrite };

// In the order of their numbers, so that there are no deadlocks.
const LOCK = `SELECT seq FROM contacts WHERE workspace = $1 AND email = ANY($2::text[])
  ORDER BY seq FOR NO KEY UPDATE`;

/**
 * Locks the contacts with these addresses, and reads them. What belongs to a contact is read after it is locked, so
 * that nobody changes it meanwhile.
 */
export async function holdByEmail(
  tx: Session,
  workspace: number,
  emails: readonly string[],
): Promise<Map<string, ContactRow>> {
  const held = await tx.rows<Row<typeof contacts, "seq">>(LOCK, [workspace, [...new Set(emails)]]);
  if (held.length === 0) return new Map();
  const rows = await tx.rows<ContactRow>(`${CONTACTS} WHERE c.seq = ANY($1::int8[])`, [
    held.map(({ seq }) => seq),
  ]);
  return new Map(rows.map((row) => [row.email, row]));
}

/** The values of a new or changed contact, as columns of `unnest`. */
const FIELDS = WRITTEN_COLUMNS.join(", ");
const TAGS = `ARRAY(SELECT tag FROM json_array_elements_text(w.tags::json) WITH ORDINALITY AS t (tag, n) ORDER BY t.n)`;
const WRITTEN_FIELDS = "$2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]";

const ADD = `INSERT INTO contacts (workspace, ${FIELDS}, id, created_at)
  SELECT $1, w.email, w.first_name, w.last_name, ${TAGS}, w.status, w.search, w.id, w.created_at
  FROM unnest(${WRITTEN_FIELDS}, $8::text[], $9::int8[])
    WITH ORDINALITY AS w (${FIELDS}, id, created_at, n)
  ORDER BY w.n ON CONFLICT (workspace, email) DO NOTHING RETURNING seq, id`;

/**
 * Adds contacts, in their order, with everything that follows from it.
 * @throws LostRace if another transaction has made one of them meanwhile
 */
export async function addAll(
  tx: Session,
  workspace: number,
  added: readonly NewContactWrite[],
): Promise<{ contact: Contact; seq: number }[]> {
  if (added.length === 0) return [];
  const made = added.map(({ fresh, write }) => ({ ...fresh, ...write.contact }));
  const rows = await tx.rows<Row<typeof contacts, "seq" | "id">>(ADD, [
    workspace,
    ...columnsOf(made),
    made.map(({ id }) => id),
    made.map(({ createdAt }) => createdAt),
  ]);
  if (rows.length < made.length) throw new LostRace("an address got a contact meanwhile");
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  const written = made.map((contact, i) => ({
    contact,
    seq: present(seqs.get(contact.id), "row number of a new contact"),
    write: present(added[i], "new contact").write,
    before: NO_ATTRIBUTES,
  }));
  await writeConsequences(tx, workspace, written);
  const activity = contactActivity(tx, workspace);
  const outbox = contactOutbox(tx, workspace);
  for (const contact of made) {
    activity.made(contact.createdAt);
    await outbox.made(contact);
  }
  await activity.book();
  await outbox.book();
  return written;
}

const SAVE = `UPDATE contacts AS c SET (${FIELDS}) =
    (w.email, w.first_name, w.last_name, ${TAGS}, w.status, w.search)
  FROM unnest($1::int8[], ${WRITTEN_FIELDS}) AS w (seq, ${FIELDS}) WHERE c.seq = ANY($1::int8[]) AND c.seq = w.seq`;

/** Changes contacts that are locked, in their order, with everything that follows from it. */
export async function saveAll(
  tx: Session,
  workspace: number,
  changes: readonly ContactChangeWrite[],
): Promise<Contact[]> {
  if (changes.length === 0) return [];
  const written = changes.map(({ row, write }) => {
    const before = contactOf(row);
    const contact = { ...before, ...write.contact };
    return { before, after: contact, contact, seq: row.seq, write, at: write.at };
  });
  const stored = written.filter(
    ({ before, contact }) => !isAsStored(storedFields(before), storedFields(contact)),
  );
  if (stored.length > 0)
    await tx.run(SAVE, [stored.map(({ seq }) => seq), ...columnsOf(stored.map(({ contact }) => contact))]);
  await writeConsequences(
    tx,
    workspace,
    written.map((one) => ({ ...one, before: one.before.attributes })),
  );
  const activity = contactActivity(tx, workspace);
  const outbox = contactOutbox(tx, workspace);
  for (const change of written) {
    activity.changed(change.before.status, change.after.status, change.at);
    await outbox.changed(change);
  }
  await activity.book();
  await outbox.book();
  return written.map(({ contact }) => contact);
}

/** Changes a contact that is locked, or adds a new one. Returns its row number. */
export async function putContact(
  tx: Session,
  workspace: number,
  row: ContactRow | null,
  added: NewContactWrite,
): Promise<number> {
  if (row === null)
    return present((await addAll(tx, workspace, [added]))[0], "contact that was just made").seq;
  await saveAll(tx, workspace, [{ row, write: added.write }]);
  return row.seq;
}

/** Everything that a write changes apart from the contact's row. */
async function writeConsequences(
  tx: Session,
  workspace: number,
  written: readonly WrittenContact[],
): Promise<void> {
  await writeAttributes(
    tx,
    workspace,
    written.map(({ contact, seq, before }) => ({ contact: seq, before, after: contact.attributes })),
  );
  await suppressAll(
    tx,
    workspace,
    written.flatMap(({ write: { suppress, at } }) =>
      suppress === null ? [] : suppress.addresses.map((address) => ({ ...suppress, address, at })),
    ),
  );
  await voidLinks(
    tx,
    workspace,
    written.flatMap(({ write }) => write.voidLinksOf.map((address) => ({ address, at: write.at }))),
  );
  await leaveLists(
    tx,
    written.filter(({ write }) => write.leaveLists).map(({ seq, write }) => ({ contact: seq, at: write.at })),
  );
  await writeStarts(
    tx,
    workspace,
    written.flatMap(({ seq, write: { triggers, at } }) =>
      triggers.map((trigger) => ({ contact: seq, trigger, event: null, depth: 0, at })),
    ),
  );
  await logConsents(
    tx,
    workspace,
    written.flatMap(({ contact, write: { consentEntry: entry } }) =>
      entry === null ? [] : [{ person: contact, entry }],
    ),
  );
}

/** The values of `FIELDS`, a list for each column. */
const columnsOf = (contacts: readonly Contact[]): string[][] => {
  const rows = contacts.map(writtenValues);
  return WRITTEN_COLUMNS.map((_, column) => rows.map((row) => present(row[column], "value of a column")));
};
