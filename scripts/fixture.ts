/**
 * Writes a small filled database of today's schema as SQL text, for test/storage/upgrade.test.ts. Run `bun
 * scripts/fixture.ts` after you added a migration. An existing file is never replaced, because it shows what
 * an older version left on a disk. `--force` replaces it, for a migration that nobody has used yet.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { dumpSql } from "../test/support/storage/sql-dump.ts";
import { filledDatabase } from "../test/support/storage/filled-database.ts";

const DIRECTORY = resolve(import.meta.dir, "../test/fixtures");

function fail(message: string, exitCode: number): never {
  console.error(message);
  process.exit(exitCode);
}

const flags = process.argv.slice(2);
if (flags.some((flag) => flag !== "--force")) fail("Usage: bun scripts/fixture.ts [--force]", 2);
const file = `${DIRECTORY}/schema-${MIGRATIONS.at(-1)!.name.slice(0, 4)}.sql`;
if (existsSync(file) && !flags.includes("--force"))
  fail(`${file} is there already. A fixture of a schema that people use never changes.`, 1);
await mkdir(DIRECTORY, { recursive: true });
await writeFile(file, await filledDatabase(dumpSql));
console.log(`Wrote ${file}.`);
// The opened database would keep the process alive.
process.exit(0);
