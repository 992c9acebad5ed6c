import type { PageRequest } from "#core/page.ts";
import type { Moment } from "#people/moment.ts";
import type { PeopleStore } from "#people/store.ts";
import { eventReader } from "#storage/sqlite/events/event-pages.ts";
import { eventOf, type EventRow } from "#storage/sqlite/events/event-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";
import { isNewer, newestMarks } from "./newest-marks.ts";
import { markReader, SOURCES, type Mark, type Person } from "./timeline-marks.ts";
import { momentReader } from "./timeline-moments.ts";
import { nextTurn } from "#core/turns.ts";

type PersonRow = Row<typeof contacts, "seq" | "id" | "email">;

/** Where a page ended: at a mark, and at an event's row. They are walked side by side. */
type Place = { readonly mark: Mark | null; readonly event: number };

const START: Place = { mark: null, event: Number.MAX_SAFE_INTEGER };

/** What is shown next: something at a mark, or an event. */
type Next = { readonly mark: Mark; readonly event: EventRow | null };

/**
 * `PeopleStore.timeline`. Events are read page by page from their index, however many there are. Everything
 * else about a person is read completely for each page, in slices with a turn of the event loop after each:
 * there is little of it, and it has to be counted anyway. Both are walked by their own keys, so that nothing
 * is shown twice or left out while more happens.
 */
export function timelinePages(database: SqliteDatabase, seqOf: WorkspaceSeq): PeopleStore["timeline"] {
  const { sqlite } = database;
  const find = sqlite.query<PersonRow, [number, string]>(
    "SELECT seq, id, email FROM contacts WHERE workspace = ? AND id = ?",
  );
  const readMarks = markReader(sqlite);
  const readEvents = eventReader(database);
  const momentAt = momentReader(sqlite);

  const marksOf = async (person: Person, before: Mark | null, limit: number) => {
    const newest = newestMarks(before, limit + 1);
    for (const slice of readMarks(person)) {
      newest.add(slice);
      await nextTurn();
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
    const events = readEvents(workspace, { name: null, contactId }, { limit, before: place.event });
    const next = merged(marks.newest(), events.rows);
    const shown = next.slice(0, limit);
    return {
      items: shown.flatMap(({ mark, event }) =>
        event ? eventMoment(event) : (momentAt(person, mark) ?? []),
      ),
      total: marks.total + events.total,
      nextPosition: next.length > limit ? positionAfter(place, shown) : null,
    };
  };
}

/** Puts the events between the others, each in its own order. */
function merged(marks: readonly Mark[], events: readonly EventRow[]): Next[] {
  const next: Next[] = [];
  let [m, e] = [0, 0];
  for (;;) {
    const [mark, event] = [marks[m], events[e]];
    if (mark === undefined && event === undefined) return next;
    const ofEvent = event && { source: "event" as const, at: event.createdAt, key: event.seq };
    if (ofEvent !== undefined && (mark === undefined || isNewer(ofEvent, mark))) {
      next.push({ mark: ofEvent, event: event ?? null });
      e++;
    } else if (mark !== undefined) {
      next.push({ mark, event: null });
      m++;
    }
  }
}

function positionAfter(place: Place, shown: readonly Next[]): readonly number[] {
  const event = shown.findLast((each) => each.event !== null)?.mark.key ?? place.event;
  const mark = shown.findLast((each) => each.event === null)?.mark ?? place.mark;
  // No source has the number behind the last one: nothing of the kind was shown yet.
  if (mark === null) return [event, SOURCES.length, 0, 0];
  return [event, SOURCES.indexOf(mark.source), mark.at, mark.key];
}

function placeOf([event = 0, number = 0, at = 0, key = 0]: readonly number[]): Place {
  const source = SOURCES[number];
  return { event, mark: source === undefined ? null : { source, at, key } };
}

function eventMoment(row: EventRow): Moment {
  const { id, name, properties, valueCents, currency, createdAt } = eventOf(row);
  return { id, at: createdAt, kind: "event", name, properties, valueCents, currency };
}
