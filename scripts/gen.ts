import { readdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";

/**
 * Writes the list of migrations as code, so that the executable carries them: `bun scripts/gen.ts`.
 * With --check nothing is written, and a stale list ends with exit code 1.
 */
const ROOT = resolve(import.meta.dir, "..");
const MIGRATIONS = "migrations/sqlite";
const LIST = "src/storage/sqlite/schema/migrations.gen.ts";
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

function fail(message: string, exitCode: number): never {
  console.error(message);
  process.exit(exitCode);
}

/**
 * The names in order; numbers start at 0001 and have neither gap nor double, else two branches were merged
 * wrongly.
 */
function inOrder(files: string[]): string[] {
  const names = files.filter((file) => file.endsWith(".sql")).toSorted();
  if (names.length === 0) fail(`${MIGRATIONS} holds no .sql file.`, 1);
  for (const [index, name] of names.entries()) {
    const expected = String(index + 1).padStart(4, "0");
    if (FILE_NAME.exec(name)?.[1] === expected) continue;
    fail(`${MIGRATIONS}/${name}: expected a file named ${expected}_lower_case_words.sql here.`, 1);
  }
  return names;
}

function render(names: string[]): string {
  const imports = names.map(
    (name) => `import m${name.slice(0, 4)} from "../../../../${MIGRATIONS}/${name}" with { type: "text" };`,
  );
  const entries = names.map((name) => `  { name: "${name.slice(0, -4)}", sql: m${name.slice(0, 4)} },`);
  return [
    "// Written by scripts/gen.ts from migrations/sqlite: run `bun run gen` after adding a file there.",
    ...imports,
    "",
    "export const MIGRATIONS: readonly { name: string; sql: string }[] = [",
    ...entries,
    "];",
    "",
  ].join("\n");
}

const flags = process.argv.slice(2);
if (flags.some((flag) => flag !== "--check")) fail("Usage: bun scripts/gen.ts [--check]", 2);

const wanted = render(inOrder(await readdir(`${ROOT}/${MIGRATIONS}`)));
const present = await readFile(`${ROOT}/${LIST}`, "utf8").catch(() => "");
if (wanted !== present) {
  if (flags.includes("--check"))
    fail(`${LIST} is out of date: run \`bun run gen\` and commit the result.`, 1);
  await writeFile(`${ROOT}/${LIST}`, wanted);
}
