import type { JsonObject } from "#core/request/json-value.ts";
import type { RecordedEvent } from "#events/event.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { contacts, events } from "#storage/postgres/schema/schema.ts";

export type EventRow = Row<typeof events, "seq" | "id" | "name" | "valueCents" | "currency" | "createdAt"> & {
  readonly contactId: Value<typeof contacts, "id">;
  /** JSON. */
  readonly properties: string;
};

/** Reads events: a WHERE on `e` follows. */
export const EVENTS = `SELECT e.seq, e.id, e.name, e.properties::text AS properties, e.value_cents, e.currency,
    e.created_at, c.id AS contact_id
  FROM events AS e JOIN contacts AS c ON c.seq = e.contact`;

export const eventOf = ({ seq: _seq, properties, ...event }: EventRow): RecordedEvent => ({
  ...event,
  properties: JSON.parse(properties) as JsonObject,
});
