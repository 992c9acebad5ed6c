import type { Instant } from "#core/time/clock.ts";
import type { RunRegistry } from "#deliveries/store.ts";
import type { Takeover } from "#storage/common/engine/takeover.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { holdCopy } from "./origin.ts";

/**
 * What a node does before it sends anything: it takes over what nodes left that have ended, holds everything where the
 * database is a copy, and joins. `trusted`: why nothing is held although another PostgreSQL answers.
 */
export async function takeOver(
  { write }: Pick<PostgresDatabase, "write">,
  registry: RunRegistry,
  now: Instant,
  trustsFailover = false,
): Promise<Takeover & { readonly trusted: string | null }> {
  const uncertain = await registry.sweep(now);
  const { held, holdReason, trusted } = await write((tx) => holdCopy(tx, now, trustsFailover));
  const { run } = await registry.join(now, false);
  return { run, uncertain, held, holdReason, trusted };
}
