import type { Database } from "bun:sqlite";
import { pageOf } from "#core/page.ts";
import type { EventFilter, EventStore } from "#events/store.ts";
import { eventBatches } from "./event-batch.ts";
import { EVENT_COLUMNS, eventOf, type EventRow } from "./event-row.ts";
import { gatheredByWorkspace } from "./gathered-steps.ts";
import type { SqliteDatabase } from "./open.ts";
import type { WorkspaceSeq } from "./workspace-seq.ts";

export function eventStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): EventStore {
  const byExternalId = sqlite.query<{ id: string; name: string; createdAt: number }, [number, string]>(
    "SELECT id, name, created_at AS createdAt FROM events WHERE workspace = ? AND external_id = ?",
  );
  const records = gatheredByWorkspace(writes, eventBatches(sqlite));

  return {
    page: eventPages(sqlite, seqOf),

    async record(workspaceId, event, newContact) {
      const workspace = seqOf(workspaceId);
      // A repeat is read, not written: it costs no commit.
      const known = event.externalId === null ? null : byExternalId.get(workspace, event.externalId);
      if (known !== null) return { kind: "duplicate", event: known };
      return await records.of(workspace).now({ event, newContact });
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
    total: count("SELECT count(*) AS n FROM events WHERE contact = $contact"),
  };
  const ofBoth = {
    rows: rows("e.contact = $contact AND e.name = $name"),
    total: count("SELECT count(*) AS n FROM events WHERE contact = $contact AND name = $name"),
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
