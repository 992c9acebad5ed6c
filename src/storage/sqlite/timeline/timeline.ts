import type { PageRequest } from "#core/request/page.ts";
import type { Moment } from "#timeline/moment.ts";
import type { TimelineStore } from "#timeline/store.ts";
import { momentAt } from "#storage/common/timeline/moments.ts";
import {
  merged,
  placeOf,
  positionAfter,
  START,
  type Mark,
  type Person,
} from "#storage/common/timeline/timeline.ts";
import { eventReader } from "#storage/sqlite/events/event-pages.ts";
import { eventOf, type EventRow } from "#storage/sqlite/events/event-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";
import { newestMarks } from "./newest-marks.ts";
import { markReader } from "./timeline-marks.ts";
import { momentRows } from "./timeline-moments.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";

type PersonRow = Row<typeof contacts, "seq" | "id" | "email">;

/**
 * `TimelineStore.page`. Events are read page by page from their index, however many there are. Everything else
 * about a person is read completely for each page, in slices with a turn of the event loop after each: there is
 * little of it, and it must be counted anyway. Both are read in the order of their own keys, so that nothing is
 * shown twice or left out while new things happen.
 */
export function timelinePages(database: SqliteDatabase, seqOf: WorkspaceSeq): TimelineStore["page"] {
  const { sqlite } = database;
  const find = sqlite.query<PersonRow, [number, string]>(
    "SELECT seq, id, email FROM contacts WHERE workspace = ? AND id = ?",
  );
  const readMarks = markReader(sqlite);
  const readEvents = eventReader(database);
  const rows = momentRows(sqlite);

  const marksOf = async (person: Person, before: Mark | null, limit: number) => {
    const newest = newestMarks(before, limit + 1);
    for (const slice of readMarks(person)) {
      newest.add(slice);
      await nextLoopTurn();
    }
    return newest;
  };

  return async (workspaceId, contactId, { limit, before }: PageRequest<readonly number[]>) => {
    const workspace = seqOf(workspaceId);
    const row = find.get(workspace, contactId);
    if (row === null) return null;
    const person = { workspace, ...row };
    const place = before === null ? START : placeOf(before);
    const marks = await marksOf(person, place.mark, limit);
    const events = await readEvents(workspace, { name: null, contactId }, { limit, before: place.event });
    const next = merged(marks.newest(), events.rows);
    const shown = next.slice(0, limit);
    const moments = await Promise.all(
      shown.map(async ({ mark, event }) => (event ? eventMoment(event) : await momentAt(rows, person, mark))),
    );
    return {
      items: moments.filter((moment) => moment !== null),
      total: marks.total + events.total,
      nextPosition: next.length > limit ? positionAfter(place, shown) : null,
    };
  };
}

function eventMoment(row: EventRow): Moment {
  const { id, name, properties, valueCents, currency, createdAt } = eventOf(row);
  return { id, at: createdAt, kind: "event", name, properties, valueCents, currency };
}
