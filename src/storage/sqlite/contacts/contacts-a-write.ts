import type { Database } from "bun:sqlite";
import { writeWeight } from "#contacts/write-weight.ts";
import { STEPS_MAX } from "#storage/sqlite/engine/writes/gathered-steps.ts";
import { rowsForWebhooks } from "#storage/sqlite/webhooks/outbox-writes.ts";

const ADDRESS_ALONE = { tags: undefined, attributes: undefined };

/** How many people who come one by one may be written together: fewer where webhooks make each of them many rows. */
export function contactsAWrite(sqlite: Database): (workspace: number) => number {
  const rowsOf = rowsForWebhooks(sqlite);
  return (workspace) => Math.ceil(STEPS_MAX / writeWeight(ADDRESS_ALONE, rowsOf(workspace)));
}
