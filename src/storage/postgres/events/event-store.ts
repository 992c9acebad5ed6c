import { StorageError } from "#core/storage-error.ts";
import type { EventStore, Recorded } from "#events/store.ts";
import { gatheredRounds } from "#storage/postgres/engine/gathered-rounds.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { knownEvents, recordAll, type NewEventWrite } from "./event-batch.ts";
import { eventPages } from "./event-pages.ts";

export function eventStore(database: PostgresDatabase): EventStore {
  const { read, write, seqOf } = database;
  /** Events of a workspace that come at the same time share a transaction. */
  const rounds = new Map<number, (event: NewEventWrite) => Promise<Recorded>>();
  const roundsOf = (workspace: number) => {
    const known = rounds.get(workspace);
    if (known !== undefined) return known;
    const made = gatheredRounds<NewEventWrite, Recorded>(
      (asked) => write((tx) => recordAll(tx, workspace, asked)),
      (error) => error instanceof StorageError,
    );
    rounds.set(workspace, made);
    return made;
  };

  return {
    page: eventPages(database),

    async record(workspaceId, event, newContact) {
      const workspace = await seqOf(workspaceId);
      const { externalId } = event;
      if (externalId !== null) {
        // A repeat is read, not written: it costs no commit.
        const known = await read((session) => knownEvents(session, workspace, [externalId]));
        const earlier = known.get(externalId);
        if (earlier !== undefined) return { kind: "duplicate", event: earlier };
      }
      return await roundsOf(workspace)({ event, newContact });
    },
  };
}
