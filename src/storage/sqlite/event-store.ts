import type { Database } from "bun:sqlite";
import { pageOf } from "#core/page.ts";
import type { EventFilter, EventStore, Recorded } from "#events/store.ts";
import { contactWrites } from "./contact-writes.ts";
import { EVENT_COLUMNS, eventOf, type EventRow } from "./event-row.ts";
import type { SqliteDatabase } from "./open.ts";
import { startWrites } from "./start-writes.ts";
import type { WorkspaceSeq } from "./workspace-seq.ts";

type EventRecord = Parameters<EventStore["record"]>[1];
type NewContact = Parameters<EventStore["record"]>[2];
type Known = { readonly id: string; readonly name: string; readonly createdAt: number };

export function eventStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): EventStore {
  const byExternalId = sqlite.query<Known, [number, string]>(
    "SELECT id, name, created_at AS createdAt FROM events WHERE workspace = ? AND external_id = ?",
  );
  const contactOf = sqlite.query<{ seq: number }, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND id = ?",
  );
  // The index alone answers it.
  const contactAt = sqlite.query<{ seq: number }, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND email = ?",
  );
  const insert = sqlite.query<{ seq: number }, (string | number | null)[]>(
    `INSERT INTO events (id, workspace, name, contact, properties, value_cents, currency, external_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
  );
  const contacts = contactWrites(sqlite);
  const start = startWrites(sqlite);

  const duplicateOf = (workspace: number, externalId: string | null): Recorded | null => {
    const known = externalId === null ? null : byExternalId.get(workspace, externalId);
    return known && { kind: "duplicate", event: known };
  };

  const contactSeq = (
    workspace: number,
    { subject, createdAt }: EventRecord,
    newContact: NewContact,
  ): number | undefined => {
    if (subject.kind === "id") return contactOf.get(workspace, subject.contactId)?.seq;
    const known = contactAt.get(workspace, subject.email);
    if (known !== null) return known.seq;
    const { id, write } = newContact(subject.email);
    return contacts.add(workspace, { id, createdAt }, write).seq;
  };

  const recordNew = (workspace: number, event: EventRecord, newContact: NewContact): Recorded => {
    const { id, name, createdAt, properties, valueCents, currency, externalId } = event;
    const contact = contactSeq(workspace, event, newContact);
    if (contact === undefined) return { kind: "no contact" };
    const amount = [valueCents, currency];
    const { seq } = insert.get(
      id,
      workspace,
      name,
      contact,
      JSON.stringify(properties),
      ...amount,
      externalId,
      createdAt,
    )!;
    const trigger = { kind: "custom_event", eventName: name, eventId: id } as const;
    start(workspace, contact, [trigger], { event: seq, depth: 0, at: createdAt });
    return { kind: "recorded", event: { id, name, createdAt } };
  };

  return {
    page: eventPages(sqlite, seqOf),

    async record(workspaceId, event, newContact) {
      const workspace = seqOf(workspaceId);
      // A repeat is read, not written: it costs no commit.
      return (
        duplicateOf(workspace, event.externalId) ??
        (await writes.write(
          () => duplicateOf(workspace, event.externalId) ?? recordNew(workspace, event, newContact),
        ))
      );
    },
  };
}

function eventPages(sqlite: Database, seqOf: WorkspaceSeq): EventStore["page"] {
  const rows = (where: string) =>
    sqlite.query<EventRow, Record<string, string | number>>(
      `SELECT ${EVENT_COLUMNS}, c.id AS contactId FROM events AS e CROSS JOIN contacts AS c ON c.seq = e.contact
       WHERE ${where} AND e.seq < $before ORDER BY e.seq DESC LIMIT $limit`,
    );
  const count = (sql: string) => sqlite.query<{ n: number | null }, Record<string, string | number>>(sql);
  const ofWorkspace = {
    rows: rows("e.workspace = $workspace"),
    total: count(
      "SELECT n FROM record_counts WHERE workspace = $workspace AND kind = 'event' AND status = ''",
    ),
  };
  const ofName = {
    rows: rows("e.workspace = $workspace AND e.name = $name"),
    total: count(
      "SELECT n FROM record_counts WHERE workspace = $workspace AND kind = 'event' AND status = $name",
    ),
  };
  const ofContact = {
    rows: rows("e.contact = $contact"),
    total: count("SELECT sum(n) AS n FROM contact_events WHERE contact = $contact"),
  };
  const ofBoth = {
    rows: rows("e.contact = $contact AND e.name = $name"),
    total: count("SELECT n FROM contact_events WHERE contact = $contact AND name = $name"),
  };
  const contactSeq = sqlite.query<{ seq: number }, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND id = ?",
  );

  const queryOf = (workspace: number, { name, contactId }: EventFilter) => {
    if (contactId === null)
      return name === null
        ? { ...ofWorkspace, values: { workspace } }
        : { ...ofName, values: { workspace, name } };
    const contact = contactSeq.get(workspace, contactId)?.seq ?? 0;
    return name === null ? { ...ofContact, values: { contact } } : { ...ofBoth, values: { contact, name } };
  };

  return async (workspaceId, filter, { limit, before }) => {
    const { rows: found, total, values } = queryOf(seqOf(workspaceId), filter);
    const page = found.all({ ...values, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 });
    return pageOf(page, total.get(values)?.n ?? 0, limit, { position: (row) => row.seq, item: eventOf });
  };
}
