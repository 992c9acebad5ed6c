import type { JsonObject } from "#core/request/json-value.ts";
import type { RecordedEvent } from "#events/event.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, events } from "#storage/sqlite/schema/schema.ts";

/** An event as it is stored; `properties` is JSON. */
export type EventRow = Row<
  typeof events,
  "seq" | "id" | "name" | "properties" | "valueCents" | "currency" | "createdAt"
> & { readonly contactId: Value<typeof contacts, "id"> };

/** The columns of an `EventRow`, from the table or alias `e`; the query must join `contactId`. */
export const EVENT_COLUMNS =
  "e.seq, e.id, e.name, e.properties, e.value_cents AS valueCents, e.currency, e.created_at AS createdAt";

export function eventOf({ seq: _seq, properties, ...event }: EventRow): RecordedEvent {
  return { ...event, properties: JSON.parse(properties) as JsonObject };
}
