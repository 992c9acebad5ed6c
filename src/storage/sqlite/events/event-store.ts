import type { EventStore } from "#events/store.ts";
import { contactsAWrite } from "#storage/sqlite/contacts/contacts-a-write.ts";
import { eventBatches } from "./event-batch.ts";
import { eventPages } from "./event-pages.ts";
import { gatheredByWorkspace } from "#storage/sqlite/engine/writes/gathered-steps.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";

export function eventStore(database: SqliteDatabase, seqOf: WorkspaceSeq): EventStore {
  const { sqlite, writes } = database;
  const { known: knownBy, recordAll } = eventBatches(sqlite);
  const records = gatheredByWorkspace(writes, recordAll, contactsAWrite(sqlite));

  return {
    page: eventPages(database, seqOf),

    async record(workspaceId, event, newContact) {
      const workspace = seqOf(workspaceId);
      // A repeated event is read, not written, so it costs no commit.
      const known = event.externalId === null ? null : knownBy(workspace, event.externalId);
      if (known !== null) return { kind: "duplicate", event: known };
      return await records.of(workspace).now({ event, newContact });
    },
  };
}
