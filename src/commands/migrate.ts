import { resolve } from "node:path";
import { counted } from "#core/text/text.ts";
import { databasePath, pendingMigrations } from "#app/database.ts";
import { readDatabase, readDataDirectory } from "#config.ts";
import { unwrap } from "#core/errors/errors.ts";
import { Answered, DATA_DIR, type Call, type Command } from "#commands/line/command.ts";
import { printResult } from "#commands/line/printing.ts";
import { presentDatabase, withServicesOrNew } from "./open.ts";

/** Migrations would run. Not 1: scripts must be able to tell this from a database that does not answer. */
const EXIT_PENDING = 3;

export const migrate: Command = {
  name: "migrate",
  says: "Upgrades the database to this version's schema, as the next start would; or shows what would be done.",
  operands: [],
  flags: [
    {
      name: "check",
      value: "",
      says: "Only show which migrations would run, and change nothing.",
    },
    DATA_DIR,
  ],
  takesJson: true,
  notes: [
    "With --check the exit code is 0 if nothing would run, 3 if something would. 1: the database cannot be read, or a",
    "newer version wrote it. 2: the command line is wrong.",
    "With SQLite, stop the server before you run it without --check; the file is copied first. With PostgreSQL, make a backup yourself.",
  ],
  example: "migrate --check",
  async run(call) {
    const pending = await pendingMigrations(...placeOf(call));
    const isCheck = call.flags.check !== undefined;
    if (!isCheck && pending.length > 0) await withServicesOrNew(call, () => Promise.resolve());
    await printResult(call, isCheck ? { pending } : { applied: pending }, migrationText(pending, isCheck));
    if (isCheck && pending.length > 0) throw new Answered(EXIT_PENDING);
  },
};

function placeOf(call: Call): Parameters<typeof pendingMigrations> {
  const address = unwrap(readDatabase(call));
  if (address === null) presentDatabase(call);
  return [resolve(databasePath(unwrap(readDataDirectory(call)))), address];
}

function migrationText(names: readonly string[], isCheck: boolean): string {
  if (names.length === 0) return "The database has this version's schema: nothing is to be done.";
  const migrations = counted(names.length, "migration", "migrations");
  const title = isCheck ? `${migrations} would run:` : `${migrations} ran:`;
  return [title, ...names].join("\n");
}
