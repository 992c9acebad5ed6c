import type { Database } from "bun:sqlite";
import { pageOf, type PageRequest } from "#core/request/page.ts";
import type { EventFilter, EventStore } from "#events/store.ts";
import { contactSeq } from "#storage/sqlite/contacts/contact-seq.ts";
import { EVENT_COLUMNS, eventOf, type EventRow } from "./event-row.ts";
import { afterLongReads, type EventPiece } from "./event-sums.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { RECENT_EVENTS } from "./recent-events.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";

type Values = Record<string, string | number>;

/** `EventStore.page`. */
export function eventPages(database: SqliteDatabase, seqOf: WorkspaceSeq): EventStore["page"] {
  const read = eventReader(database);
  return async (workspaceId, filter, request) => {
    const { rows, total } = await read(seqOf(workspaceId), filter, request);
    return pageOf(rows, total, request.limit, { position: (row) => row.seq, item: eventOf });
  };
}

type Read = { readonly rows: EventRow[]; readonly total: number };

/** Events, newest first. The latest come from the log, the others from the indexes (recent-events.ts). */
export function eventReader(database: SqliteDatabase) {
  const { sqlite, recentEvents } = database;
  const sets = eventSets(sqlite);
  const recorded = sqlite.query<{ n: number }, [number, string]>(
    "SELECT coalesce(max(n), 0) AS n FROM record_counts WHERE workspace = ? AND kind = 'event' AND status = ?",
  );
  const ofContact = contactCounts(database);
  const seqOfContact = contactSeq(sqlite);

  const chosen = (workspace: number, { name, contactId }: EventFilter) => {
    const named: Values = name === null ? {} : { name };
    if (contactId === null)
      return {
        set: name === null ? sets.workspace : sets.name,
        beyond: {},
        values: { workspace, ...named },
        total: present(recorded.get(workspace, name ?? ""), "count of events").n,
      };
    const contact = seqOfContact(workspace, contactId) ?? 0;
    return {
      set: name === null ? sets.contact : sets.both,
      beyond: { recent: recentEvents.of(contact) },
      values: { contact, ...named },
      total: ofContact(contact, name),
    };
  };

  const read = (workspace: number, filter: EventFilter, { limit, before: cursor }: PageRequest): Read => {
    const { set, values, beyond, total } = chosen(workspace, filter);
    // To look for what a contact never did would take long.
    if (filter.contactId !== null && total === 0) return { rows: [], total };
    const { through } = recentEvents;
    const before = cursor ?? Number.MAX_SAFE_INTEGER;
    const rows =
      before > through + 1 ? set.recent.all({ ...values, ...beyond, through, before, limit: limit + 1 }) : [];
    if (rows.length <= limit) {
      const until = Math.min(through, before - 1);
      rows.push(...set.older.all({ ...values, until, limit: limit + 1 - rows.length }));
    }
    return { rows, total };
  };

  return (workspace: number, filter: EventFilter, request: PageRequest): Promise<Read> =>
    afterLongReads(() => read(workspace, filter, request));
}

/** How many events a contact has, of one name or of all. What is returned may throw `LongRead`. */
function contactCounts({ sqlite, eventSums }: SqliteDatabase) {
  const count = sqlite.query<{ n: number }, EventPiece & { readonly name: string | null }>(
    `SELECT (SELECT count(*) FROM contact_events AS i WHERE i.contact = $contact AND i.seq > $after AND i.seq <= $upTo
         AND ($name IS NULL OR i.name = $name))
       + (SELECT count(*) FROM ${RECENT_EVENTS} WHERE e.contact = $contact AND e.seq > $upTo
         AND ($name IS NULL OR e.name = $name)) AS n`,
  );
  return (contact: number, name: string | null): number =>
    eventSums.of(contact, {
      key: name === null ? "count" : `count ${name}`,
      nothing: 0,
      add: (sum, piece) => sum + present(count.get({ ...piece, name }), "count of events").n,
    });
}

const BEYOND = "e.seq > $through";

/** For each filter: the events not yet in the index, and those in it. */
function eventSets(sqlite: Database) {
  const select = (from: string, where: string) =>
    sqlite.query<EventRow, Values>(
      `SELECT ${EVENT_COLUMNS}, c.id AS contactId FROM ${from} CROSS JOIN contacts AS c ON c.seq = e.contact
       WHERE ${where} DESC LIMIT $limit`,
    );
  const recent = (from: string, where: string) =>
    select(from, `${BEYOND} AND e.seq < $before AND ${where} ORDER BY e.seq`);
  const older = (table: string, where: string) =>
    select(
      `${table} AS i CROSS JOIN events AS e ON e.seq = i.seq`,
      `i.seq <= $until AND ${where} ORDER BY i.seq`,
    );
  const ofContact = (andName: (table: string) => string) => ({
    recent: recent(RECENT_EVENTS, `e.contact = $contact${andName("e")}`),
    older: older("contact_events", `i.contact = $contact${andName("i")}`),
  });
  return {
    workspace: {
      recent: recent("events AS e", "e.workspace = $workspace"),
      older: older("workspace_events", "i.workspace = $workspace"),
    },
    name: {
      recent: recent("events AS e", "e.workspace = $workspace AND e.name = $name"),
      older: older("named_events", "i.workspace = $workspace AND i.name = $name"),
    },
    contact: ofContact(() => ""),
    both: ofContact((table) => ` AND ${table}.name = $name`),
  };
}
