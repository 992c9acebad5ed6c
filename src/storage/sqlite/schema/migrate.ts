/**
 * Brings a database file to this version's schema. We do not use Drizzle's migrator: it rebuilds a table with
 * foreign keys on, and so deletes the child rows.
 *
 * The table `schema_migrations` holds each file's name and SHA-256. The start fails if the text of a known
 * migration has changed, or if a migration is unknown (a newer Postrider wrote it). A database with rows is copied
 * into the same directory before anything changes. All pending migrations are applied in one transaction, or none.
 * When two processes open a database at the same time, one migrates it and the other finds it done.
 *
 * The copy is made inside that transaction, and gets its name behind it. An upgrade that fails, is killed or waits for
 * a lock is tried again by every start: if each left a copy, they would fill the disk.
 *
 *   .part --copied--> .whole --the upgrade is committed--> its name
 *
 * A kill leaves one of the first two. If migrations are pending, the next start makes the copy anew. If none
 * is, it gives the copy its name if the migration in that name was applied. If it was not, this is the version
 * before the upgrade, and it removes the copy, unless the upgrade is under way.
 */
import { readdirSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Database } from "bun:sqlite";
import { errorCode } from "#core/errors/error-code.ts";
import {
  MigrationError,
  migrationHash,
  pendingMigrations,
  type AppliedMigration,
  type Migration,
} from "#storage/common/engine/migrations.ts";
import { NoRoomError } from "#backups/room.ts";
import { copyBytesOf, lackFor } from "#storage/sqlite/files/free-room.ts";
import {
  makePrivateFile,
  removeDatabase,
  syncDirectoryOf,
  syncFile,
} from "#storage/sqlite/files/durable-file.ts";
import { isBusy } from "#storage/sqlite/engine/writes/write-lock.ts";

/**
 * An existing database of an earlier schema that is being upgraded (not a new one). The names are those of the last
 * migrations.
 */
type Upgrade = { readonly from: string; readonly to: string };

/**
 * The steps of an upgrade, in this order: the database is copied, each migration is applied, references are checked
 * if rows were changed. `done`: `copy` is the earlier database, null for one in memory.
 */
export type UpgradeStep =
  | { readonly kind: "copies" | "checks" }
  | { readonly kind: "applies"; readonly migration: string; readonly number: number; readonly of: number }
  | { readonly kind: "done"; readonly copy: string | null };

/** Called before each step: a step can take minutes. */
export type OnUpgrade = (upgrade: Upgrade, step: UpgradeStep) => void;

type Tell = (step: UpgradeStep) => void;

/** @returns the names of the migrations applied by this call. */
export function migrate(
  sqlite: Database,
  migrations: readonly Migration[],
  now: number,
  onUpgrade: OnUpgrade = () => undefined,
): string[] {
  sqlite.exec(
    "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  );
  const applied = appliedMigrations(sqlite);
  const pending = pendingMigrations(applied, migrations);
  const [first, last] = [pending[0], pending.at(-1)];
  if (first === undefined || last === undefined) {
    settleLeft(sqlite);
    return [];
  }
  const from = applied.at(-1)?.name;
  const tell: Tell = (step) => (from === undefined ? undefined : onUpgrade({ from, to: last.name }, step));
  const { done, copy } = applyPending(sqlite, migrations, now, { tell, isNew: from === undefined });
  if (done.length > 0) tell({ kind: "done", copy });
  return done.map(({ name }) => name);
}

/**
 * The names of the migrations that were not applied to a database yet; reads only. @throws MigrationError as
 * `migrate` does
 */
export function pendingIn(sqlite: Database, migrations: readonly Migration[]): string[] {
  return pendingMigrations(appliedMigrations(sqlite), migrations).map(({ name }) => name);
}

function appliedMigrations(sqlite: Database): AppliedMigration[] {
  return sqlite.query<AppliedMigration, []>("SELECT name, hash FROM schema_migrations ORDER BY name").all();
}

/**
 * Copies the database, and returns the name that the copy will have once it is kept. Null: one in memory has no copy.
 * @throws NoRoomError if it does not fit
 */
function copyBefore(sqlite: Database, migration: string): string | null {
  const { filename } = sqlite;
  if (filename === "" || filename === ":memory:") return null;
  const copy = freeName(copyOf(filename, migration));
  const part = partOf(copy);
  // What an upgrade that was killed has left.
  remove(copy);
  const lack = lackFor(part, copyBytesOf(sqlite), filename);
  if (lack !== null) throw new NoRoomError(lack, dirname(filename), "beforeUpgrade");
  // The copy contains the signing secret too. SQLite would create a file that everybody can read, but it also fills
  // an existing empty one.
  makePrivateFile(part);
  try {
    copyInto(filename, part);
    syncFile(part);
    renameSync(part, wholeOf(copy));
  } catch (error) {
    removeDatabase(part);
    throw error;
  }
  return copy;
}

const copyOf = (filename: string, migration: string): string => `${filename}.before-${migration}`;
const partOf = (copy: string): string => `${copy}.part`;
const wholeOf = (copy: string): string => `${copy}.whole`;

/** Another process that opens the database may do it first. */
function keep(copy: string, name = copy): void {
  try {
    renameSync(wholeOf(copy), name);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  syncDirectoryOf(copy);
}

/** Keeps or removes the copies that killed upgrades have left. */
function settleLeft({ filename }: Database): void {
  if (filename === "" || filename === ":memory:") return;
  const left = leftCopies(filename);
  if (left.size === 0) return;
  const locked = new Database(filename, { readwrite: true, create: false, strict: true });
  try {
    // Somebody who upgrades now has the lock. Whether a copy belongs to a finished upgrade is known only after that.
    if (!hasLocked(locked)) return;
    const applied = new Set(appliedMigrations(locked).map(({ name }) => name));
    for (const copy of left) {
      if (applied.has(migrationIn(copy, filename))) keep(copy, freeName(copy));
      remove(copy);
    }
  } finally {
    locked.close(true);
  }
}

/** The names that the copies would have. */
function leftCopies(filename: string): Set<string> {
  const names = readdirSync(dirname(filename)).filter((name) =>
    name.startsWith(basename(copyOf(filename, ""))),
  );
  const ends = [partOf(""), wholeOf("")];
  return new Set(
    names.flatMap((name) => {
      const end = ends.find((some) => name.endsWith(some));
      return end === undefined ? [] : [`${dirname(filename)}/${name.slice(0, -end.length)}`];
    }),
  );
}

/** Without the number that a second copy has. */
const migrationIn = (copy: string, filename: string): string =>
  copy.slice(copyOf(filename, "").length).replace(/-\d+$/, "");

/** Takes the write lock, without waiting. */
function hasLocked(sqlite: Database): boolean {
  try {
    sqlite.run("PRAGMA busy_timeout = 0");
    sqlite.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function remove(copy: string): void {
  for (const path of [partOf(copy), wholeOf(copy)]) removeDatabase(path);
}

/**
 * VACUUM INTO, never a file copy: opening the file in another way in this process would drop SQLite's locks. It does not
 * run inside a transaction, so another connection reads while this one holds the lock.
 */
function copyInto(filename: string, part: string): void {
  const reader = new Database(filename, { readonly: true, strict: true });
  try {
    reader.prepare("VACUUM INTO ?").run(part);
  } finally {
    reader.close();
  }
}

/** An earlier backup of the same name is kept: the new one gets a number. */
function freeName(target: string): string {
  const files = new Set(new Bun.Glob("*").scanSync({ cwd: target.slice(0, target.lastIndexOf("/")) || "." }));
  const base = target.slice(target.lastIndexOf("/") + 1);
  if (!files.has(base)) return target;
  let n = 2;
  while (files.has(`${base}-${n}`)) n++;
  return `${target}-${n}`;
}

type How = { readonly tell: Tell; /** There is nothing to copy yet. */ readonly isNew: boolean };

function applyPending(
  sqlite: Database,
  migrations: readonly Migration[],
  now: number,
  { tell, isNew }: How,
): { readonly done: readonly Migration[]; readonly copy: string | null } {
  let copy = null as string | null;
  let isCommitted = false;
  // Has no effect inside a transaction, so it is outside: rebuilding a table must not delete its child rows.
  sqlite.exec("PRAGMA foreign_keys = OFF");
  try {
    // Others may read, and so may the connection that copies.
    const done = sqlite
      .transaction(() => {
        // Read again, because another process may have applied them meanwhile.
        const pending = pendingMigrations(appliedMigrations(sqlite), migrations);
        const [first] = pending;
        if (first === undefined) return pending;
        tell({ kind: "copies" });
        if (!isNew) copy = copyBefore(sqlite, first.name);
        for (const [at, migration] of pending.entries()) {
          tell({ kind: "applies", migration: migration.name, number: at + 1, of: pending.length });
          apply(sqlite, migration, now);
        }
        if (!pending.every(onlyAdds)) {
          tell({ kind: "checks" });
          checkReferences(sqlite, pending.at(-1));
        }
        return pending;
      })
      .immediate();
    isCommitted = true;
    if (copy !== null) keep(copy);
    return { done, copy };
  } catch (error) {
    if (copy !== null && !isCommitted) remove(copy);
    throw error;
  } finally {
    sqlite.exec("PRAGMA foreign_keys = ON");
  }
}

function statementsOf({ sql }: Migration): string[] {
  return sql.split("--> statement-breakpoint").filter((statement) => statement.trim() !== "");
}

const COMMENTS = /^(\s*--.*\n|\s+)*/;
const ADDS = [
  /^CREATE (TABLE|INDEX|UNIQUE INDEX)\b[^;]*;?\s*$/i,
  /^ALTER TABLE \w+ ADD COLUMN\b(?![^;]*\bREFERENCES\b)[^;]*;?\s*$/i,
  /^CREATE TRIGGER\b(?![^]*\bEND;\s*\S)/i,
];

/**
 * Whether the migration changes no existing row. Then no reference can break, and checking millions of rows would
 * take half a minute.
 */
function onlyAdds(migration: Migration): boolean {
  const bare = statementsOf(migration).map((statement) => statement.replace(COMMENTS, ""));
  return bare.every((statement) => ADDS.some((adds) => adds.test(statement)));
}

function apply(sqlite: Database, migration: Migration, now: number): void {
  for (const statement of statementsOf(migration)) sqlite.exec(statement);
  sqlite
    .prepare("INSERT INTO schema_migrations (name, hash, applied_at) VALUES (?, ?, ?)")
    .run(migration.name, migrationHash(migration), now);
}

function checkReferences(sqlite: Database, last: Migration | undefined): void {
  const broken = sqlite.query("PRAGMA foreign_key_check").all();
  if (broken.length === 0) return;
  throw new MigrationError(
    `Migration ${last?.name ?? "(none)"} left ${broken.length} broken references; nothing was changed.`,
  );
}
