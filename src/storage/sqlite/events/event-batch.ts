import type { Database } from "bun:sqlite";
import type { Recorded } from "#events/store.ts";
import { contactSeq } from "#storage/sqlite/contacts/contact-seq.ts";
import { contactWrites } from "#storage/sqlite/contacts/contact-writes.ts";
import { startWrites } from "#storage/sqlite/automations/start-writes.ts";
import { present } from "#core/present.ts";
import { activityWrites } from "#storage/sqlite/stats/activity-writes.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts, events } from "#storage/sqlite/schema/schema.ts";
import type { NewEventWrite } from "#storage/common/events/event-write.ts";

type Known = Row<typeof events, "id" | "name" | "createdAt">;

/** An event to record, and its contact: a number, or the address of a contact that has yet to be made. */
type Fresh = NewEventWrite & { readonly contact: number | string };

/**
 * Records events of one workspace on an open transaction, in the order given. If two have the same external
 * id, the second is a duplicate of the first. If two name the same new address, they share one new contact.
 */
export function eventBatches(sqlite: Database) {
  const byExternalId = sqlite.query<Known, [number, string]>(
    "SELECT id, name, created_at AS createdAt FROM events WHERE workspace = ? AND external_id = ?",
  );
  const byAddress = sqlite.query<Row<typeof contacts, "seq">, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND email = ?",
  );
  const seqOfContact = contactSeq(sqlite);
  const insertAll = insertion(sqlite);

  const recordAll = (workspace: number, asked: readonly NewEventWrite[]): Recorded[] => {
    const fresh: Fresh[] = [];
    const freshByExternalId = new Map<string, Known>();
    const answers = asked.map(({ event, newContact }): Recorded => {
      const { id, name, createdAt, externalId, subject } = event;
      if (externalId !== null) {
        const known = freshByExternalId.get(externalId) ?? byExternalId.get(workspace, externalId);
        if (known !== null) return { kind: "duplicate", event: known };
      }
      const contact =
        subject.kind === "id"
          ? seqOfContact(workspace, subject.contactId)
          : (byAddress.get(workspace, subject.email)?.seq ?? subject.email);
      if (contact === null) return { kind: "no contact" };
      const recorded = { id, name, createdAt };
      if (externalId !== null) freshByExternalId.set(externalId, recorded);
      fresh.push({ event, newContact, contact });
      return { kind: "recorded", event: recorded };
    });
    if (fresh.length > 0) insertAll(workspace, fresh);
    return answers;
  };

  return {
    /** The event that has an external id. */
    known: (workspace: number, externalId: string): Known | null => byExternalId.get(workspace, externalId),
    recordAll,
  };
}

/** Writes the events, the contacts that they make, the triggers of automations, and the counts. */
function insertion(sqlite: Database) {
  const insert = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO events (id, workspace, name, contact, properties, value_cents, currency, external_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const count = sqlite.query<null, [number, string, number]>(
    "INSERT INTO record_counts VALUES (?, 'event', ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  const makeContacts = contactsOfEvents(sqlite);
  const newActivity = activityWrites(sqlite);
  const startsOf = startWrites(sqlite);

  const countAll = (workspace: number, asked: readonly Fresh[]): void => {
    const activity = newActivity();
    for (const { event } of asked) activity.add(workspace, event.createdAt, "events");
    activity.book();
    const totals = new Map([["", asked.length]]);
    for (const { event } of asked) totals.set(event.name, (totals.get(event.name) ?? 0) + 1);
    for (const [name, n] of totals) count.run(workspace, name, n);
  };

  return (workspace: number, asked: readonly Fresh[]): void => {
    const made = makeContacts(workspace, asked);
    const start = startsOf(workspace);
    for (const { event, contact: known } of asked) {
      const { id, name, properties, valueCents, currency, externalId, createdAt } = event;
      const contact =
        typeof known === "string" ? present(made.get(known), "contact that was just made") : known;
      const stored = JSON.stringify(properties);
      const row = [id, workspace, name, contact, stored, valueCents, currency, externalId, createdAt];
      const { lastInsertRowid } = insert.run(...row);
      const trigger = { kind: "custom_event", eventName: name, eventId: id } as const;
      start(contact, [trigger], { event: Number(lastInsertRowid), depth: 0, at: createdAt });
    }
    countAll(workspace, asked);
  };
}

/** Makes a contact for each address that has none. */
function contactsOfEvents(sqlite: Database) {
  const { addAll } = contactWrites(sqlite);
  return (workspace: number, asked: readonly Fresh[]): Map<string, number> => {
    const firstOf = new Map<string, Fresh>();
    for (const one of asked) {
      if (typeof one.contact === "string" && !firstOf.has(one.contact)) firstOf.set(one.contact, one);
    }
    const made = [...firstOf].map(([email, { event, newContact }]) => {
      const { id, write } = newContact(email);
      return { fresh: { id, createdAt: event.createdAt }, write };
    });
    return new Map(addAll(workspace, made).map(({ seq, contact }) => [contact.email, seq]));
  };
}
