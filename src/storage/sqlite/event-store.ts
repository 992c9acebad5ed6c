import type { EventStore } from "#events/store.ts";
import { eventBatches } from "./event-batch.ts";
import { eventPages } from "./event-pages.ts";
import { gatheredByWorkspace } from "./gathered-steps.ts";
import type { SqliteDatabase } from "./open.ts";
import type { WorkspaceSeq } from "./workspace-seq.ts";

export function eventStore(database: SqliteDatabase, seqOf: WorkspaceSeq): EventStore {
  const { sqlite, writes } = database;
  const byExternalId = sqlite.query<{ id: string; name: string; createdAt: number }, [number, string]>(
    "SELECT id, name, created_at AS createdAt FROM events WHERE workspace = ? AND external_id = ?",
  );
  const records = gatheredByWorkspace(writes, eventBatches(sqlite));

  return {
    page: eventPages(database, seqOf),

    async record(workspaceId, event, newContact) {
      const workspace = seqOf(workspaceId);
      // A repeat is read, not written: it costs no commit.
      const known = event.externalId === null ? null : byExternalId.get(workspace, event.externalId);
      if (known !== null) return { kind: "duplicate", event: known };
      return await records.of(workspace).now({ event, newContact });
    },
  };
}
