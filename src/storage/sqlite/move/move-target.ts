/**
 * A new database file that is filled from another engine. Until it is complete it has another name, so that no
 * server can use it. Its triggers are removed meanwhile: what they would write is moved too.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { Database } from "bun:sqlite";
import { copyGone, usedPlace } from "#move/moved-away.ts";
import type { Reached, MoveTarget } from "#move/store.ts";
import { DATABASE_FILE } from "#storage/sqlite/engine/open.ts";
import { makeUnlessThere, syncDirectoryOf, syncFile } from "#storage/sqlite/files/durable-file.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { movingPartOf } from "#storage/sqlite/run/new-database.ts";
import { checkReferences, finishFile } from "./finishing.ts";
import { sumsOf, writeRows } from "./moved-rows.ts";

const MAKE =
  "CREATE TABLE IF NOT EXISTS moving (name TEXT PRIMARY KEY, place TEXT NOT NULL, is_done INTEGER NOT NULL) STRICT";
const KEEP = `INSERT INTO moving VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET place = excluded.place, is_done = excluded.is_done`;
const HAS_PROGRESS = "SELECT 1 FROM sqlite_master WHERE name = 'moving'";
const TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'";

type Kept = { readonly name: string; readonly place: string; readonly isDone: number };

/** The name of the source's stamp in the table of progress. */
const STAMP = "";

type SqliteTarget = MoveTarget & {
  /** Call it at the end, or when the move is cut off. */
  close(): void;
};

/**
 * @param movedTo of the source
 * @throws Error if the directory already has a database, or had this one
 */
export function sqliteTarget(dataDir: string, now: number, movedTo: string | null = null): SqliteTarget {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = `${dataDir}/${DATABASE_FILE}`;
  if (existsSync(path))
    throw usedPlace(movedTo, path, `${dataDir} has a database already: name another directory`);
  const part = movingPartOf(path);
  // What a move has left that was interrupted at its very end is there.
  if (movedTo === path && !existsSync(part)) throw copyGone(path);
  const sqlite = openPart(part, now);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) sqlite.close(true);
    isOpen = false;
  };
  const inWrite = (work: () => void): void => sqlite.transaction(work).immediate();

  return {
    engine: "SQLite",
    place: path,
    async begin(stamp) {
      const kept = sqlite.query<Kept, []>("SELECT name, place, is_done AS isDone FROM moving").all();
      const known = kept.find(({ name }) => name === STAMP);
      if (known !== undefined && known.place !== stamp)
        throw new Error(
          `${part} was filled from a database that was changed since, or from another one: remove it, and call again`,
        );
      if (known === undefined)
        inWrite(() => {
          for (const { name } of sqlite.query<{ name: string }, []>(TRIGGERS).all())
            sqlite.run(`DROP TRIGGER ${name}`);
          sqlite.query(KEEP).run(STAMP, stamp, 0);
        });
      const tables = kept.filter(({ name }) => name !== STAMP);
      return new Map(tables.map(({ name, ...reached }) => [name, reachedOf(reached)]));
    },
    async write(table, rows, { place, isDone }) {
      inWrite(() => {
        writeRows(sqlite, table, rows);
        sqlite.query(KEEP).run(table.name, JSON.stringify(place), isDone ? 1 : 0);
      });
    },
    sums: async (table) => sumsOf(sqlite, table),
    async checkReferences() {
      checkReferences(sqlite);
    },
    async finish(highest, at) {
      const held = finishFile(sqlite, highest, at);
      sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      close();
      syncFile(part);
      // A record of an earlier database would not match this file.
      rmSync(`${dataDir}/run.json`, { force: true });
      // The log of a database that lay here before: SQLite would apply it to this one.
      for (const end of ["-wal", "-shm"])
        for (const file of [path, part]) rmSync(`${file}${end}`, { force: true });
      // The last thing that may fail: whoever calls again after it is told that the move is done.
      renameSync(part, path);
      syncDirectoryOf(path);
      return held;
    },
    close,
  };
}

function openPart(part: string, now: number): Database {
  if (existsSync(part) && !hasProgress(part))
    for (const end of ["", "-wal", "-shm"]) rmSync(`${part}${end}`, { force: true });
  makeUnlessThere(part);
  const sqlite = new Database(part, { create: true, strict: true });
  sqlite.exec("PRAGMA journal_mode = WAL");
  sqlite.exec("PRAGMA synchronous = NORMAL");
  sqlite.exec("PRAGMA cache_size = -65536");
  migrate(sqlite, MIGRATIONS, now);
  // All references are checked at the end. (`migrate` switches them on.)
  sqlite.exec("PRAGMA foreign_keys = OFF");
  sqlite.exec(MAKE);
  return sqlite;
}

/** A complete file that did not get its final name yet has no such table: it is made again. */
function hasProgress(part: string): boolean {
  const sqlite = new Database(part, { strict: true });
  try {
    return sqlite.query(HAS_PROGRESS).get() !== null;
  } finally {
    sqlite.close(true);
  }
}

const reachedOf = ({ place, isDone }: Omit<Kept, "name">): Reached => ({
  place: JSON.parse(place) as Reached["place"],
  isDone: isDone === 1,
});
