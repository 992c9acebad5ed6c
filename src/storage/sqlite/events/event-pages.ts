import type { Database } from "bun:sqlite";
import { pageOf, type PageRequest } from "#core/request/page.ts";
import type { EventFilter, EventStore } from "#events/store.ts";
import { contactSeq } from "#storage/sqlite/contacts/contact-seq.ts";
import { EVENT_COLUMNS, eventOf, type EventRow } from "./event-row.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { RECENT_EVENTS } from "./recent-events.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";

type Values = Record<string, string | number>;

/** `EventStore.page`. */
export function eventPages(database: SqliteDatabase, seqOf: WorkspaceSeq): EventStore["page"] {
  const read = eventReader(database);
  return async (workspaceId, filter, request) => {
    const { rows, total } = read(seqOf(workspaceId), filter, request);
    return pageOf(rows, total, request.limit, { position: (row) => row.seq, item: eventOf });
  };
}

/** Events, newest first. The latest come from the log, the others from the indexes (recent-events.ts). */
export function eventReader({ sqlite, recentEvents }: SqliteDatabase) {
  const sets = eventSets(sqlite);
  const seqOfContact = contactSeq(sqlite);

  const chosen = (workspace: number, { name, contactId }: EventFilter) => {
    const named: Values = name === null ? {} : { name };
    if (contactId === null)
      return {
        set: name === null ? sets.workspace : sets.name,
        beyond: {},
        values: { workspace, ...named },
      };
    const contact = seqOfContact(workspace, contactId) ?? 0;
    return {
      set: name === null ? sets.contact : sets.both,
      beyond: { recent: recentEvents.of(contact) },
      values: { contact, ...named },
    };
  };

  return (
    workspace: number,
    filter: EventFilter,
    { limit, before: cursor }: PageRequest,
  ): { rows: EventRow[]; total: number } => {
    const { set, values, beyond } = chosen(workspace, filter);
    const { through } = recentEvents;
    const before = cursor ?? Number.MAX_SAFE_INTEGER;
    const rows =
      before > through + 1 ? set.recent.all({ ...values, ...beyond, through, before, limit: limit + 1 }) : [];
    if (rows.length <= limit) {
      const until = Math.min(through, before - 1);
      rows.push(...set.older.all({ ...values, until, limit: limit + 1 - rows.length }));
    }
    const counted = set.total.get({
      ...values,
      ...(filter.contactId === null ? {} : { ...beyond, through }),
    });
    const { n } = present(counted, "count of events");
    return { rows, total: n };
  };
}

const BEYOND = "e.seq > $through";

/** For each filter: the events not yet in the index, those in it, and how many there are. */
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
  const count = (sql: string) => sqlite.query<{ n: number }, Values>(sql);
  const recorded = (name: string) =>
    count(
      `SELECT coalesce(max(n), 0) AS n FROM record_counts WHERE workspace = $workspace AND kind = 'event' AND status = ${name}`,
    );
  const ofContact = (andName: (table: string) => string) => ({
    recent: recent(RECENT_EVENTS, `e.contact = $contact${andName("e")}`),
    older: older("contact_events", `i.contact = $contact${andName("i")}`),
    total: count(
      `SELECT (SELECT count(*) FROM contact_events AS i WHERE i.contact = $contact AND i.seq <= $through${andName("i")})
         + (SELECT count(*) FROM ${RECENT_EVENTS} WHERE ${BEYOND} AND e.contact = $contact${andName("e")}) AS n`,
    ),
  });
  return {
    workspace: {
      recent: recent("events AS e", "e.workspace = $workspace"),
      older: older("workspace_events", "i.workspace = $workspace"),
      total: recorded("''"),
    },
    name: {
      recent: recent("events AS e", "e.workspace = $workspace AND e.name = $name"),
      older: older("named_events", "i.workspace = $workspace AND i.name = $name"),
      total: recorded("$name"),
    },
    contact: ofContact(() => ""),
    both: ofContact((table) => ` AND ${table}.name = $name`),
  };
}
