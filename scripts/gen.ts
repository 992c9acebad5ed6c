import { readdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { SETTING_KEYS, settingOf } from "#workspaces/settings/settings.ts";
import { apiTypes } from "./console/api-types.ts";

/**
 * Generates files from other files: `bun scripts/gen.ts`. The lists of migrations as code, so that they are in the
 * executable; the list of settings in docs/operating.md, from the table of settings; the types of the API's routes
 * for the console, from the API's document; and the most common passwords. With --check nothing is written, and the
 * exit code is 1 if a file is out of date.
 */
const ROOT = resolve(import.meta.dir, "..");
const ENGINES = ["sqlite", "postgres"];
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

function fail(message: string, exitCode: number): never {
  console.error(message);
  process.exit(exitCode);
}

/** The names in order. Numbers start at 0001, without gaps or duplicates; otherwise two branches were merged wrongly. */
function inOrder(folder: string, files: string[]): string[] {
  const names = files.filter((file) => file.endsWith(".sql")).toSorted();
  if (names.length === 0) fail(`${folder} holds no .sql file.`, 1);
  for (const [index, name] of names.entries()) {
    const expected = String(index + 1).padStart(4, "0");
    if (FILE_NAME.exec(name)?.[1] === expected) continue;
    fail(`${folder}/${name}: expected a file named ${expected}_lower_case_words.sql here.`, 1);
  }
  return names;
}

function render(folder: string, names: string[]): string {
  const imports = names.map(
    (name) => `import m${name.slice(0, 4)} from "../../../../${folder}/${name}" with { type: "text" };`,
  );
  const entries = names.map((name) => `  { name: "${name.slice(0, -4)}", sql: m${name.slice(0, 4)} },`);
  return [
    `// Written by scripts/gen.ts from ${folder}: run \`bun run gen\` after adding a file there.`,
    ...imports,
    "",
    "export const MIGRATIONS: readonly { name: string; sql: string }[] = [",
    ...entries,
    "];",
    "",
  ].join("\n");
}

const SETTINGS_PAGE = "docs/operating.md";
const API_TYPES = "src/console/ui/api/api.gen.ts";
const [BEGIN, END] = ["<!-- settings: written by scripts/gen.ts -->", "<!-- end of settings -->"];

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** A row for each setting of a workspace. */
function settingsTable(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { kind, initial, says, setBy } = settingOf(key);
    const untilSet = kind.write(initial) || "empty";
    return `| \`${key}\`${setBy === "operator" ? " *" : ""} | ${cell(says)} | ${cell(kind.accepts)} | ${cell(untilSet)} |`;
  });
  return ["| setting | what it is | takes | until it is set |", "|---|---|---|---|", ...rows].join("\n");
}

function withSettings(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    return fail(`${SETTINGS_PAGE} has no place for the list of settings.`, 1);
  return `${before}${BEGIN}\n${settingsTable()}\n${END}${after}`;
}

const PASSWORDS = "src/users/common-passwords.gen.ts";
/** Shorter ones are refused for their length. */
const PASSWORD_MIN = 10;

/** Those of the 49,000 most common passwords of zxcvbn-ts that are long enough, as one text, because that loads fast. */
function commonPasswords(): string {
  const long = (dictionary["passwords"] ?? []).filter((password) => password.length >= PASSWORD_MIN);
  if (long.length < 1_000) return fail("The list of common passwords is empty.", 1);
  return [
    "// Written by scripts/gen.ts from the list of zxcvbn-ts (MIT): the most common passwords of 10 characters and more.",
    `export const COMMON_PASSWORDS = ${JSON.stringify(long.map((password) => password.toLowerCase()).join("\n"))};`,
    "",
  ].join("\n");
}

const flags = process.argv.slice(2);
if (flags.some((flag) => flag !== "--check")) fail("Usage: bun scripts/gen.ts [--check]", 2);

const textOf = (path: string): Promise<string> => readFile(`${ROOT}/${path}`, "utf8").catch(() => "");

/** Writes a file if it differs, or reports it. */
async function make(path: string, wanted: string, present: string): Promise<void> {
  if (present === wanted) return;
  if (flags.includes("--check"))
    fail(`${path} is out of date: run \`bun run gen\` and commit the result.`, 1);
  await writeFile(`${ROOT}/${path}`, wanted);
}

const page = await textOf(SETTINGS_PAGE);
for (const engine of ENGINES) {
  const folder = `migrations/${engine}`;
  const list = `src/storage/${engine}/schema/migrations.gen.ts`;
  await make(list, render(folder, inOrder(folder, await readdir(`${ROOT}/${folder}`))), await textOf(list));
}
await make(PASSWORDS, commonPasswords(), await textOf(PASSWORDS));
await make(SETTINGS_PAGE, withSettings(page), page);
// Last, because making the document loads the routes, and with them the list of migrations.
await make(API_TYPES, await apiTypes(), await textOf(API_TYPES));
