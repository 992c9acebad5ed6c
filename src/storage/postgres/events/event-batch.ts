import type { Recorded } from "#events/store.ts";
import { present } from "#core/present.ts";
import { storableObject } from "#core/request/json-texts.ts";
import { foldedProperties } from "#storage/common/events/event-properties.ts";
import type { NewEventWrite } from "#storage/common/events/event-write.ts";
import { writeStarts } from "#storage/postgres/automations/start-writes.ts";
import { beforeNewContacts } from "#storage/postgres/contacts/contact-batch.ts";
import { addAll } from "#storage/postgres/contacts/contact-writes.ts";
import { LostRace } from "#storage/postgres/engine/failures.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts, events } from "#storage/postgres/schema/schema.ts";
import { activityWrites } from "#storage/postgres/stats/activity-writes.ts";

type Known = Row<typeof events, "id" | "name" | "createdAt">;

const KNOWN = `SELECT id, name, created_at, external_id FROM events
  WHERE workspace = $1 AND external_id = ANY($2::text[])`;

/** The events with these external ids, by external id. */
async function knownEvents(
  { rows }: Session,
  workspace: number,
  externalIds: readonly string[],
): Promise<Map<string, Known>> {
  if (externalIds.length === 0) return new Map();
  const found = await rows<Known & { readonly externalId: string }>(KNOWN, [workspace, externalIds]);
  return new Map(found.map(({ externalId, ...known }) => [externalId, known]));
}

/** An event to record, and its contact: a number, or the address of a contact that has yet to be made. */
type Fresh = NewEventWrite & { readonly contact: number | string };

/**
 * Records events of one workspace on an open transaction, in the order given. If two have the same external id, the
 * second is a duplicate of the first. If two name the same new address, they share one new contact.
 * @throws LostRace if another transaction has recorded one of them, or made one of the contacts, meanwhile
 */
export async function recordAll(
  tx: Session,
  workspace: number,
  asked: readonly NewEventWrite[],
): Promise<Recorded[]> {
  const externalIds = asked.flatMap(({ event }) => event.externalId ?? []);
  const known = await knownEvents(tx, workspace, externalIds);
  const isNew = ({ event: { externalId } }: NewEventWrite) => externalId === null || !known.has(externalId);
  const contactOf = await subjects(tx, workspace, asked.filter(isNew));
  const fresh: Fresh[] = [];
  const answers = asked.map(({ event, newContact }): Recorded => {
    const { id, name, createdAt, externalId } = event;
    const earlier = externalId === null ? undefined : known.get(externalId);
    if (earlier !== undefined) return { kind: "duplicate", event: earlier };
    const contact = contactOf(event.subject);
    if (contact === null) return { kind: "no contact" };
    const recorded = { id, name, createdAt };
    if (externalId !== null) known.set(externalId, recorded);
    fresh.push({ event, newContact, contact });
    return { kind: "recorded", event: recorded };
  });
  if (fresh.length > 0) await insertAll(tx, workspace, fresh);
  return answers;
}

// None of them is deleted until the transaction ends. Locked in the order of their numbers, as everywhere.
const HOLD = `SELECT seq, id, email FROM contacts
  WHERE workspace = $1 AND (id = ANY($2::text[]) OR email = ANY($3::text[])) ORDER BY seq FOR KEY SHARE`;

type Subject = NewEventWrite["event"]["subject"];

/** Finds the contacts of events: a number; the address of one that has to be made; null: no such contact. */
async function subjects(
  { rows }: Session,
  workspace: number,
  asked: readonly NewEventWrite[],
): Promise<(subject: Subject) => number | string | null> {
  const wanted = asked.map(({ event }) => event.subject);
  const found = await rows<Row<typeof contacts, "seq" | "id" | "email">>(HOLD, [
    workspace,
    wanted.flatMap((one) => (one.kind === "id" ? one.contactId : [])),
    wanted.flatMap((one) => (one.kind === "email" ? one.email : [])),
  ]);
  const byId = new Map(found.map(({ id, seq }) => [id, seq]));
  const byEmail = new Map(found.map(({ email, seq }) => [email, seq]));
  return (one) =>
    one.kind === "id" ? (byId.get(one.contactId) ?? null) : (byEmail.get(one.email) ?? one.email);
}

const ADD = `INSERT INTO events
    (workspace, id, name, contact, properties, folded, value_cents, currency, external_id, created_at)
  SELECT $1, e.id, e.name, e.contact, e.properties::jsonb, e.folded::jsonb, e.value_cents, e.currency, e.external_id,
    e.created_at
  FROM unnest($2::text[], $3::text[], $4::int8[], $5::text[], $6::text[], $7::int8[], $8::text[], $9::text[], $10::int8[])
    WITH ORDINALITY AS e (id, name, contact, properties, folded, value_cents, currency, external_id, created_at, n)
  ORDER BY e.n ON CONFLICT (workspace, external_id) WHERE external_id IS NOT NULL DO NOTHING RETURNING seq, id`;

/** Writes the events, the contacts that they make, the triggers of automations, and the counts. */
async function insertAll(tx: Session, workspace: number, asked: readonly Fresh[]): Promise<void> {
  const made = await makeContacts(tx, workspace, asked);
  const written = asked.map(({ event, contact }) => {
    const properties = storableObject(event.properties);
    return {
      ...event,
      contact:
        typeof contact === "string" ? present(made.get(contact), "contact that was just made") : contact,
      properties: properties.json,
      folded: foldedProperties(properties.object),
    };
  });
  const rows = await tx.rows<Row<typeof events, "seq" | "id">>(ADD, [
    workspace,
    written.map(({ id }) => id),
    written.map(({ name }) => name),
    written.map(({ contact }) => contact),
    written.map(({ properties }) => properties),
    written.map(({ folded }) => folded),
    written.map(({ valueCents }) => valueCents),
    written.map(({ currency }) => currency),
    written.map(({ externalId }) => externalId),
    written.map(({ createdAt }) => createdAt),
  ]);
  if (rows.length < written.length) throw new LostRace("an external id got an event meanwhile");
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  await writeStarts(
    tx,
    workspace,
    written.map(({ id, name, contact, createdAt }) => ({
      contact,
      trigger: { kind: "custom_event", eventName: name, eventId: id },
      event: present(seqs.get(id), "number of an event"),
      depth: 0,
      at: createdAt,
    })),
  );
  const activity = activityWrites(tx);
  for (const { createdAt } of written) activity.add(workspace, createdAt, "events");
  await activity.book();
}

/** Makes a contact for each address that has none. */
async function makeContacts(
  tx: Session,
  workspace: number,
  asked: readonly Fresh[],
): Promise<Map<string, number>> {
  const firstOf = new Map<string, Fresh>();
  for (const one of asked)
    if (typeof one.contact === "string" && !firstOf.has(one.contact)) firstOf.set(one.contact, one);
  if (firstOf.size === 0) return new Map();
  await beforeNewContacts(tx, workspace);
  const made = [...firstOf].map(([email, { event, newContact }]) => {
    const { id, write } = newContact(email);
    return { fresh: { id, createdAt: event.createdAt }, write };
  });
  return new Map((await addAll(tx, workspace, made)).map(({ seq, contact }) => [contact.email, seq]));
}
