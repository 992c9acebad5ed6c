import type { Instant } from "#core/time/clock.ts";
import type { RunRegistry } from "#deliveries/store.ts";
import type { Takeover } from "#storage/common/engine/takeover.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { DatabaseRecord, SeenDatabase } from "./database-record.ts";
import { holdCopy } from "./origin.ts";

/** A node that has joined, and what it has seen of the database. */
type Joined = Takeover & {
  readonly seen: SeenDatabase;
  /** Why nothing is held although another PostgreSQL answers; null where nothing spoke for it. */
  readonly trusted: string | null;
};

/**
 * What a node does before it sends anything: it takes over what nodes left that have ended, holds everything where the
 * database is a copy or has gone back, joins, and writes down what it has seen.
 */
export async function takeOver(
  { write }: Pick<PostgresDatabase, "write">,
  registry: RunRegistry,
  now: Instant,
  { record, trustsFailover }: { readonly record: DatabaseRecord; readonly trustsFailover: boolean },
): Promise<Joined> {
  const uncertain = await registry.sweep(now);
  const before = await record.read();
  const { place, held, holdReason, trusted } = await write((tx) =>
    holdCopy(tx, now, { trustsFailover, seen: before }),
  );
  const { run } = await registry.join(now, false);
  const seen = { place, number: run };
  await record.keep(seen);
  return { run, uncertain, held, holdReason, trusted, seen };
}
