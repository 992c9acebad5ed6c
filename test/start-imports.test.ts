import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");

/** What only some work needs. At the start it would make every start slower, and every server bigger. */
const LOADED_LATE = [
  "@fastify/busboy",
  "csv-parse",
  "html-to-text",
  "imapflow",
  "mjml",
  "nodemailer",
  "otpauth",
  "parse5",
  "postal-mime",
  "smtp-server",
];

type Loaded = { readonly packages: ReadonlySet<string>; readonly files: ReadonlySet<string> };

/** What is loaded before the first line of a file runs. Types and `import()` load nothing. */
function loadedBy(entry: string): Loaded {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const packages = new Set<string>();
  const seen = new Set<string>();
  const walk = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of transpiler.scanImports(readFileSync(file, "utf8"))) {
      if (kind !== "import-statement") continue;
      const next = fileOf(path, file);
      if (next === null) packages.add(nameOf(path));
      else if (next.endsWith(".ts")) walk(next);
    }
  };
  walk(join(ROOT, entry));
  return { packages, files: seen };
}

/** Null: of a package. */
function fileOf(path: string, from: string): string | null {
  if (path.startsWith("#")) return join(ROOT, "src", path.slice(1));
  return path.startsWith(".") ? resolve(dirname(from), path) : null;
}

/** `nodemailer/lib/smtp-connection` is of `nodemailer`. */
const nameOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

test("a start loads no library that only some work needs", () => {
  const { packages } = loadedBy("src/main.ts");
  expect(LOADED_LATE.filter((name) => packages.has(name))).toEqual([]);
});

test("a start with SQLite loads nothing of PostgreSQL", () => {
  const { files } = loadedBy("src/main.ts");
  expect([...files].filter((file) => file.includes("/storage/postgres/"))).toEqual([]);
});

/** How often the runtime is asked for its languages and time zones while `file` is loaded. */
function localesAskedBy(file: string): string {
  const code = `
    let asked = 0;
    for (const name of ["Collator", "DateTimeFormat", "NumberFormat"])
      Intl[name] = new Proxy(Intl[name], { construct: (made, how) => (asked++, new made(...how)) });
    await import(${JSON.stringify(join(ROOT, file))});
    console.log(asked);
    process.exit(0);`;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", code], { cwd: ROOT });
  return stdout.toString().trim() || stderr.toString();
}

test("loading the server asks the runtime for no language and no time zone, which would stay in memory", () => {
  expect(localesAskedBy("src/commands/server/serve.ts")).toBe("0");
});

test("the check sees who asks", () => {
  const folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  writeFileSync(join(folder, "asks.ts"), 'new Intl.NumberFormat("en").format(1);');
  expect(localesAskedBy(relative(ROOT, join(folder, "asks.ts")))).toBe("1");
  rmSync(folder, { recursive: true });
});

test("the check sees what is loaded", () => {
  expect([...loadedBy("src/main.ts").packages]).toContain("elysia");
  expect([...loadedBy("src/main.ts").files].some((file) => file.includes("/storage/sqlite/"))).toBe(true);
  expect([...loadedBy("src/mail/html/mjml/mjml.ts").packages]).toContain("parse5");
  expect([...loadedBy("src/mail/mailbox/imap-mailbox.ts").packages]).toContain("imapflow");
});
