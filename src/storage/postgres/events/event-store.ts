import type { EventStore, Recorded } from "#events/store.ts";
import { gatheredByWorkspace } from "#storage/postgres/engine/gathered-by-workspace.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { recordAll } from "./event-batch.ts";
import { eventPages } from "./event-pages.ts";
import type { NewEventWrite } from "#storage/common/events/event-write.ts";

export function eventStore(database: PostgresDatabase): EventStore {
  const { write, seqOf } = database;
  // One after the other: of events with the same external id, the first is recorded.
  const record = gatheredByWorkspace<NewEventWrite, Recorded>(write, recordAll);
  return {
    page: eventPages(database),
    record: async (workspaceId, event, newContact) =>
      await record(await seqOf(workspaceId), { event, newContact }),
  };
}
