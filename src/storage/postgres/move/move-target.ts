/**
 * An empty database that is filled from another engine. The table `moving` records the progress; while it exists,
 * `openPostgres` lets nobody else in.
 */
import { copyGone, usedPlace } from "#move/moved-away.ts";
import type { MoveTarget, Reached } from "#move/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { finishTables } from "./finishing.ts";
import { sumsOf, writeRows } from "./moved-rows.ts";

const MAKE = `CREATE TABLE IF NOT EXISTS moving (
  name text PRIMARY KEY, place jsonb NOT NULL, is_done boolean NOT NULL)`;
const KEEP = `INSERT INTO moving VALUES ($1, $2::text::jsonb, $3)
  ON CONFLICT (name) DO UPDATE SET place = excluded.place, is_done = excluded.is_done`;
const KNOWN = "SELECT name, place::text AS place, is_done FROM moving";
const IS_USED = "SELECT EXISTS (SELECT FROM workspaces) OR EXISTS (SELECT FROM users) AS used";

type Kept = { readonly name: string; readonly place: string; readonly isDone: boolean };

/** The name of the source's stamp in the table of progress. */
const STAMP = "";

/** @param where in words for a person, without a password */
export function postgresTarget(
  { read, write }: Pick<PostgresDatabase, "read" | "write">,
  where: string,
): MoveTarget {
  const begin = async (tx: Session, stamp: string, movedTo: string | null) => {
    await tx.run(MAKE);
    const kept = await tx.rows<Kept>(KNOWN);
    const known = kept.find(({ name }) => name === STAMP);
    if (known === undefined) {
      if ((await tx.row<{ used: boolean }>(IS_USED))?.used !== false)
        throw usedPlace(
          movedTo,
          where,
          "the PostgreSQL database is not empty: name one that nobody has used",
        );
      if (movedTo === where) throw copyGone(where);
      await tx.run(KEEP, [STAMP, JSON.stringify(stamp), false]);
    } else if (JSON.parse(known.place) !== stamp)
      throw new Error(
        "the PostgreSQL database was filled from one that was changed since, or from another one: name an empty one",
      );
    // Opening the database created an instance row, which is not the one that moves.
    if (!kept.some(({ name }) => name === "instance")) await tx.run("DELETE FROM instance");
    return kept;
  };

  return {
    engine: "PostgreSQL",
    place: where,
    async begin(stamp, movedTo) {
      const kept = await write((tx) => begin(tx, stamp, movedTo));
      const tables = kept.filter(({ name }) => name !== STAMP);
      return new Map(
        tables.map(({ name, place, isDone }) => [
          name,
          { place: JSON.parse(place) as Reached["place"], isDone },
        ]),
      );
    },
    write: (table, rows, { place, isDone }) =>
      write(async (tx) => {
        await writeRows(tx, table, rows);
        await tx.run(KEEP, [table.name, JSON.stringify(place), isDone]);
      }),
    sums: (table) => read((session) => sumsOf(session, table)),
    // Each row was checked when it was written.
    checkReferences: () => Promise.resolve(),
    async finish(highest, now) {
      // Without this the first queries would be planned as if the tables were empty.
      await read((session) => session.run("ANALYZE"));
      return await write((tx) => finishTables(tx, highest, now));
    },
  };
}
