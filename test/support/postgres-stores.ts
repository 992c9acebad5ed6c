/** The stores of the second engine. They move to src/app/ when all of them are there. */
import type { Clock } from "#core/clock.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { revisionsOf } from "#storage/postgres/engine/revisions.ts";
import { listStore } from "#storage/postgres/lists/list-store.ts";
import { keyStore } from "#storage/postgres/workspaces/key-store.ts";
import { workspaceStore } from "#storage/postgres/workspaces/workspace-store.ts";

export function postgresStores(database: PostgresDatabase, clock: Clock) {
  const revisions = revisionsOf(clock);
  return {
    keys: keyStore(database, revisions),
    lists: listStore(database),
    workspaces: workspaceStore(database, revisions),
  };
}
