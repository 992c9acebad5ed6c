import type { JsonObject } from "#core/request/json-value.ts";
import type { PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Moment } from "#timeline/moment.ts";
import type { TimelineStore } from "#timeline/store.ts";
import { momentAt } from "#storage/common/timeline/moments.ts";
import { merged, placeOf, positionAfter, START } from "#storage/common/timeline/timeline.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts, events } from "#storage/postgres/schema/schema.ts";
import { marksOf } from "./timeline-marks.ts";
import { momentRows } from "./timeline-moments.ts";

type PersonRow = Row<typeof contacts, "seq" | "id" | "email">;
/** `properties` is JSON. */
type EventRow = Row<typeof events, "seq" | "id" | "name" | "valueCents" | "currency" | "createdAt"> & {
  readonly properties: string;
};

const PERSON = "SELECT seq, id, email FROM contacts WHERE workspace = $1 AND id = $2";
const EVENTS = `SELECT seq, id, name, properties::text AS properties, value_cents, currency, created_at FROM events
  WHERE contact = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`;
const EVENT_COUNT = "SELECT count(*) AS n FROM events WHERE contact = $1";

/**
 * `TimelineStore.page`. Events and everything else are each read in the order of their own keys, so that nothing
 * is shown twice or left out while new things happen.
 */
export const timelinePages =
  ({ read, seqOf }: PostgresDatabase): TimelineStore["page"] =>
  async (workspaceId, contactId, { limit, before }: PageRequest<readonly number[]>) => {
    const workspace = await seqOf(workspaceId);
    return await read(async (session) => {
      const row = await session.row<PersonRow>(PERSON, [workspace, contactId]);
      if (row === null) return null;
      const person = { workspace, ...row };
      const place = before === null ? START : placeOf(before);
      const [marks, events] = await Promise.all([
        marksOf(session, person, place.mark, limit + 1),
        eventsOf(session, row.seq, place.event, limit + 1),
      ]);
      const next = merged(marks.newest, events.newest);
      const shown = next.slice(0, limit);
      const rows = momentRows(session);
      const moments = await Promise.all(
        shown.map(async ({ mark, event }) =>
          event ? eventMoment(event) : await momentAt(rows, person, mark),
        ),
      );
      return {
        items: moments.filter((moment) => moment !== null),
        total: marks.total + events.total,
        nextPosition: next.length > limit ? positionAfter(place, shown) : null,
      };
    });
  };

async function eventsOf(
  session: Session,
  contact: number,
  before: number,
  size: number,
): Promise<{ readonly newest: readonly EventRow[]; readonly total: number }> {
  const [newest, counted] = await Promise.all([
    session.rows<EventRow>(EVENTS, [contact, before, size]),
    session.row<{ n: number }>(EVENT_COUNT, [contact]),
  ]);
  return { newest, total: present(counted, "count of events").n };
}

function eventMoment({ id, name, properties, valueCents, currency, createdAt }: EventRow): Moment {
  const read = JSON.parse(properties) as JsonObject;
  return { id, at: createdAt, kind: "event", name, properties: read, valueCents, currency };
}
