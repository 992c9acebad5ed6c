import type { Database } from "bun:sqlite";
import type { EventStore, Recorded } from "#events/store.ts";
import { contactWrites } from "./contact-writes.ts";
import { startWrites } from "./start-writes.ts";

/** An event to record, and what makes the contact of an address that has none. */
export type NewEventWrite = {
  readonly event: Parameters<EventStore["record"]>[1];
  readonly newContact: Parameters<EventStore["record"]>[2];
};

type Known = { readonly id: string; readonly name: string; readonly createdAt: number };

/**
 * Events of one workspace on an open transaction, by a few statements for all of them, in the order given: of two with one external
 * id the second is the first one's duplicate, and two that name a new address share the contact the first one makes.
 */
export function eventBatches(sqlite: Database) {
  const byExternalId = sqlite.query<Known & { externalId: string }, [string, number]>(
    `SELECT e.external_id AS externalId, e.id, e.name, e.created_at AS createdAt FROM json_each(?1) AS wanted
     CROSS JOIN events AS e ON e.workspace = ?2 AND e.external_id = wanted.value`,
  );
  const seqsOf = (column: "id" | "email") => {
    const find = sqlite.query<{ wanted: string; seq: number }, [string, number]>(
      `SELECT wanted.value AS wanted, c.seq FROM json_each(?1) AS wanted
       CROSS JOIN contacts AS c ON c.workspace = ?2 AND c.${column} = wanted.value`,
    );
    return (workspace: number, wanted: readonly string[]): Map<string, number> =>
      new Map(ifAny(wanted, (json) => find.all(json, workspace)).map((row) => [row.wanted, row.seq]));
  };
  const [seqsOfIds, seqsOfAddresses] = [seqsOf("id"), seqsOf("email")];
  const insert = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO events (id, workspace, name, contact, properties, value_cents, currency, external_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const count = sqlite.query<null, [number, string, number]>(
    "INSERT INTO record_counts VALUES (?, 'event', ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  const { addAll } = contactWrites(sqlite);
  const startsOf = startWrites(sqlite);

  const knownOf = (workspace: number, asked: readonly NewEventWrite[]): Map<string, Known> => {
    const ids = asked.flatMap(({ event }) => event.externalId ?? []);
    return new Map(
      ifAny(ids, (json) => byExternalId.all(json, workspace)).map(({ externalId, ...known }) => [
        externalId,
        known,
      ]),
    );
  };

  /** The contacts of the addresses the events name; those that are nobody's yet are made. */
  const contactsOf = (workspace: number, asked: readonly NewEventWrite[]): Map<string, number> => {
    const namedBy = new Map<string, NewEventWrite>();
    for (const one of asked) {
      const { subject } = one.event;
      if (subject.kind === "email" && !namedBy.has(subject.email)) namedBy.set(subject.email, one);
    }
    const seqs = seqsOfAddresses(workspace, [...namedBy.keys()]);
    const made = [...namedBy].flatMap(([email, { event, newContact }]) => {
      if (seqs.has(email)) return [];
      const { id, write } = newContact(email);
      return { fresh: { id, createdAt: event.createdAt }, write };
    });
    for (const { seq, contact } of addAll(workspace, made)) seqs.set(contact.email, seq);
    return seqs;
  };

  const countAll = (workspace: number, asked: readonly NewEventWrite[]): void => {
    const totals = new Map([["", asked.length]]);
    for (const { event } of asked) totals.set(event.name, (totals.get(event.name) ?? 0) + 1);
    for (const [name, n] of totals) count.run(workspace, name, n);
  };

  const insertAll = (workspace: number, asked: readonly NewEventWrite[], byId: Map<string, number>): void => {
    const byAddress = contactsOf(workspace, asked);
    const start = startsOf(workspace);
    for (const { event } of asked) {
      const { id, name, subject, properties, valueCents, currency, externalId, createdAt } = event;
      const contact = subject.kind === "id" ? byId.get(subject.contactId)! : byAddress.get(subject.email)!;
      const amount = [valueCents, currency];
      const row = [
        id,
        workspace,
        name,
        contact,
        JSON.stringify(properties),
        ...amount,
        externalId,
        createdAt,
      ];
      const { lastInsertRowid } = insert.run(...row);
      const trigger = { kind: "custom_event", eventName: name, eventId: id } as const;
      start(contact, [trigger], { event: Number(lastInsertRowid), depth: 0, at: createdAt });
    }
    countAll(workspace, asked);
  };

  return (workspace: number, asked: readonly NewEventWrite[]): Recorded[] => {
    const known = knownOf(workspace, asked);
    const byId = seqsOfIds(
      workspace,
      asked.flatMap(({ event: { subject } }) => (subject.kind === "id" ? subject.contactId : [])),
    );
    const fresh: NewEventWrite[] = [];
    const answers = asked.map((one): Recorded => {
      const { id, name, createdAt, externalId, subject } = one.event;
      const duplicate = externalId === null ? undefined : known.get(externalId);
      if (duplicate !== undefined) return { kind: "duplicate", event: duplicate };
      if (subject.kind === "id" && !byId.has(subject.contactId)) return { kind: "no contact" };
      const event = { id, name, createdAt };
      if (externalId !== null) known.set(externalId, event);
      fresh.push(one);
      return { kind: "recorded", event };
    });
    if (fresh.length > 0) insertAll(workspace, fresh, byId);
    return answers;
  };
}

/** A statement that would look for nothing is not run. */
const ifAny = <T>(values: readonly string[], find: (json: string) => T[]): T[] =>
  values.length === 0 ? [] : find(JSON.stringify(values));
