/**
 * Recognizes a database that is not the one of the last start: a dump that was restored, a recovery to an
 * earlier time, a standby that took over. It lies in another PostgreSQL, on another timeline, or in another
 * database. Mail that it still owes may have been sent already, so this mail waits for a person
 * (docs/failure-catalogue.md "D-18").
 *
 * A synchronous standby has every commit. With DATABASE_FAILOVER=trusted, mail continues after such a standby took over.
 * Two more things must be true: this database knew before that commits wait for a standby, and its newest beat is young.
 * A recovery to an earlier time also has a new timeline, but its newest beat is old.
 *
 * A snapshot of the disks that is put back is in the same place as before. So is the old server that answers again after
 * another took over, and the original of a copy that was used. A server recognizes them by what it has seen
 * (`database-record.ts`): an older number, or an era that this database lacks. Data that is copied into existing tables is
 * not noticed.
 */
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { NEXT_NUMBER } from "#storage/postgres/ledger/nodes/registry.ts";
import { TIMELINE } from "#storage/postgres/ledger/nodes/timeline.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { instance } from "#storage/postgres/schema/schema.ts";
import { NUMBERS_LEFT_OUT } from "#storage/common/engine/takeover.ts";
import type { Origin, SeenDatabase } from "./database-record.ts";
import { holdCopied, leaveNumbersOut } from "./hold.ts";

const HERE = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
  ${TIMELINE} AS timeline,
  (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database,
  'instance'::regclass::oid::int8 AS "table",
  current_setting('synchronous_standby_names') <> ''
    AND current_setting('synchronous_commit') IN ('on', 'remote_apply') AS is_synchronous`;
const LEAVE_NUMBERS_OUT = "SELECT setval(pg_get_serial_sequence('nodes', 'id'), $1)";
const KNOWN = "SELECT origin FROM instance FOR UPDATE";
const NEW_ERA = "SELECT gen_random_uuid()::text AS era";
const KEEP = "UPDATE instance SET origin = $1";

/** A recovery takes longer than this, and its newest beat is from before it began. */
const BEAT_AGE_MAX_MS = 5 * 60_000;
const IS_BEAT_YOUNG = `SELECT coalesce(max(until) > extract(epoch FROM clock_timestamp()) * 1000 - ${BEAT_AGE_MAX_MS}, false)
  AS young FROM node_beats`;

type Placed = {
  readonly place: Origin;
  readonly held: number;
  readonly holdReason: string | null;
  /** Why nothing is held although the database lies elsewhere; null where it does not, or where all is held. */
  readonly trusted: string | null;
};

export type HoldOptions = {
  /** A synchronous standby that took over has every commit. */
  readonly trustsFailover: boolean;
  /** What this server saw of its database before; null: nothing. */
  readonly seen: SeenDatabase | null;
};

/**
 * Holds everything, once, where the database lies elsewhere than at the last start of a node, or has gone back since
 * this server saw it. Call it in an open transaction: the hold and the new origin are durable together.
 */
export async function holdCopy(
  tx: Session,
  now: number,
  { trustsFailover, seen }: HoldOptions,
): Promise<Placed> {
  const here = present(await tx.row<Origin>(HERE), "place of the database");
  const known = originOf(await tx.row<Known>(KNOWN));
  const missed = erasMissed(known, seen);
  const moved = known === null ? null : reasonOf(known, here);
  const mayTrust = moved !== null && missed.length === 0 && trustsFailover;
  const trusted = mayTrust && known !== null && (await isFailover(tx, known, here)) ? moved : null;
  const older = trusted === null ? await wentBack(tx, here, seen) : null;
  const holdReason = trusted === null ? (missed.length > 0 ? ANOTHER_WAS_USED : (moved ?? older)) : null;

  const past = [...(known?.eras ?? []), ...missed];
  const isNewEra = past.length === 0 || moved !== null || holdReason !== null;
  const eras = isNewEra ? [...past, await newEra(tx)] : past;
  const place: Origin = { ...here, eras };
  if (isNewEra || !isSame(known, here)) await tx.run(KEEP, [JSON.stringify(place)]);
  const begun = eras.length - (known?.eras?.length ?? 0);
  // The old server may answer again.
  if (trusted !== null) await leaveNumbersOut(tx, begun);
  const held = holdReason === null ? 0 : await holdCopied(tx, now, begun);
  return { place, held, holdReason, trusted };
}

const ANOTHER_WAS_USED =
  "the database has gone back: another one was used since, after a takeover or as a copy, and may have sent what this one owes";

/**
 * Which eras this server has seen in a database that began as this one did, and that this one lacks. Unrelated databases
 * have no era in common: a server may have been used for another one before.
 */
function erasMissed(known: Origin | null, seen: SeenDatabase | null): readonly string[] {
  const [had, saw] = [known?.eras ?? [], seen?.place.eras ?? []];
  return had[0] !== undefined && had[0] === saw[0] ? saw.filter((era) => !had.includes(era)) : [];
}

const newEra = async (tx: Session): Promise<string> =>
  present(await tx.row<{ era: string }>(NEW_ERA), "name of an era").era;

/** Why it is older than what this server saw; null where it is not. Other servers do not find it older once more. */
async function wentBack(tx: Session, place: Origin, seen: SeenDatabase | null): Promise<string | null> {
  if (seen === null || reasonOf(seen.place, place) !== null) return null;
  const { number } = present(await tx.row<{ number: number }>(NEXT_NUMBER), "number of a run");
  if (number > seen.number) return null;
  await tx.run(LEAVE_NUMBERS_OUT, [seen.number + NUMBERS_LEFT_OUT]);
  return `the database has gone back: a snapshot of its disks was put back (run ${number}, not ${seen.number})`;
}

/** Whether the database still lies where it lay when the last node started. Writes down whether commits wait for a standby. */
export async function liesWhereItLay({
  read,
  write,
}: Pick<PostgresDatabase, "read" | "write">): Promise<boolean> {
  const [here, known] = await read(async ({ row }) =>
    Promise.all([row<Origin>(HERE), row<Known>("SELECT origin FROM instance")]),
  );
  const before = known?.origin ?? null;
  const [was, is] = [originOf(known), present(here, "place of the database")];
  if (was === null) return true;
  if (reasonOf(was, is) !== null) return false;
  if (!isSame(was, is))
    await write((tx) =>
      tx.run("UPDATE instance SET origin = $1 WHERE origin = $2", [
        JSON.stringify({ ...was, ...is }),
        before,
      ]),
    );
  return true;
}

type Known = Row<typeof instance, "origin">;

const originOf = (known: Known | null): Origin | null =>
  typeof known?.origin === "string" ? (JSON.parse(known.origin) as Origin) : null;

const isSame = (known: Origin | null, here: Origin): boolean =>
  known !== null && reasonOf(known, here) === null && known.isSynchronous === here.isSynchronous;

async function isFailover({ row }: Session, known: Origin, here: Origin): Promise<boolean> {
  if (known.isSynchronous !== true || reasonOf({ ...known, timeline: here.timeline }, here) !== null)
    return false;
  return (await row<{ young: boolean }>(IS_BEAT_YOUNG))?.young === true;
}

function reasonOf(before: Origin, here: Origin): string | null {
  if (before.system !== here.system) return "the database comes from another PostgreSQL";
  if (before.database !== here.database || before.table !== here.table)
    return "the database was restored from a dump, or copied";
  return before.timeline === here.timeline
    ? null
    : `PostgreSQL was recovered, or another server took over (timeline ${here.timeline}, not ${before.timeline})`;
}
