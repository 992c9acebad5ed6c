/**
 * Where a database lies: which PostgreSQL keeps it, on which timeline, and as which database. A dump that was restored,
 * a recovery to an earlier time and a standby that took over lie elsewhere than before. What such a database still owes
 * may have been sent already, so that mail waits for a person (docs/failure-catalogue.md "D-18").
 *
 * Where the guarantee ends: a snapshot of the disks that is put back, and data that is copied into existing tables, lie
 * where they were before.
 */
import { present } from "#core/present.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { TIMELINE } from "#storage/postgres/ledger/timeline.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { instance } from "#storage/postgres/schema/schema.ts";
import { holdEverything } from "./hold.ts";

type Origin = {
  readonly system: string;
  readonly timeline: string;
  readonly database: number;
  readonly table: number;
};

const HERE = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
  ${TIMELINE} AS timeline,
  (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database,
  'instance'::regclass::oid::int8 AS "table"`;
const KNOWN = "SELECT origin FROM instance FOR UPDATE";
const KEEP = "UPDATE instance SET origin = $1";

/**
 * Holds everything, once, where the database lies elsewhere than at the last start of a node. Call it in an open
 * transaction: the hold and the new origin are durable together.
 */
export async function holdCopy(
  tx: Session,
  now: number,
): Promise<{ readonly held: number; readonly holdReason: string | null }> {
  const here = present(await tx.row<Origin>(HERE), "place of the database");
  const known = await tx.row<Row<typeof instance, "origin">>(KNOWN);
  const before = known?.origin ?? null;
  const holdReason = before === null ? null : reasonOf(JSON.parse(before) as Origin, here);
  if (before !== null && holdReason === null) return { held: 0, holdReason };
  await tx.run(KEEP, [JSON.stringify(here)]);
  return { held: holdReason === null ? 0 : await holdEverything(tx, now), holdReason };
}

/** Whether the database still lies where it lay when the last node started. */
export async function liesWhereItLay({ row }: Session): Promise<boolean> {
  const [here, known] = await Promise.all([
    row<Origin>(HERE),
    row<Row<typeof instance, "origin">>("SELECT origin FROM instance"),
  ]);
  const before = known?.origin ?? null;
  return before === null || reasonOf(JSON.parse(before) as Origin, present(here, "place")) === null;
}

function reasonOf(before: Origin, here: Origin): string | null {
  if (before.system !== here.system) return "the database comes from another PostgreSQL";
  if (before.database !== here.database || before.table !== here.table)
    return "the database was restored from a dump, or copied";
  return before.timeline === here.timeline
    ? null
    : `PostgreSQL was recovered, or another server took over (timeline ${here.timeline}, not ${before.timeline})`;
}
