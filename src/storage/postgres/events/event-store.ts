import { StorageError } from "#core/storage-error.ts";
import type { EventStore, Recorded } from "#events/store.ts";
import { gatheredRounds } from "#storage/postgres/engine/gathered-rounds.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { recordAll, type NewEventWrite } from "./event-batch.ts";
import { eventPages } from "./event-pages.ts";

export function eventStore(database: PostgresDatabase): EventStore {
  const { write, seqOf } = database;
  /**
   * Events of a workspace that come at the same time share a transaction. One follows the other: of those with the same
   * external id the first is recorded.
   */
  const rounds = new Map<number, (event: NewEventWrite) => Promise<Recorded>>();
  const roundsOf = (workspace: number) => {
    const known = rounds.get(workspace);
    if (known !== undefined) return known;
    const made = gatheredRounds<NewEventWrite, Recorded>(
      (asked) => write((tx) => recordAll(tx, workspace, asked)),
      (error) => error instanceof StorageError,
      1,
    );
    rounds.set(workspace, made);
    return made;
  };

  return {
    page: eventPages(database),
    record: async (workspaceId, event, newContact) =>
      await roundsOf(await seqOf(workspaceId))({ event, newContact }),
  };
}
