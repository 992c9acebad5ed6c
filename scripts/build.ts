import { errorText } from "../src/core/errors/thrown.ts";
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildConsole } from "./console/build.ts";
import { consoleInside } from "./console/embed.ts";

/**
 * Builds the executable. It is not minified: Elysia reads the text of handlers, and the shipped server must
 * behave like the tested one. It loads neither .env nor bunfig.toml from the directory in which it runs,
 * because a bunfig.toml could run code.
 */
const ROOT = resolve(import.meta.dir, "..");
const USAGE = "Usage: sh scripts/build [--all | [--target bun-linux-x64|bun-linux-arm64|…] [--outfile FILE]]";

/**
 * What `--all` builds into dist/, as postrider-linux-x64 and so on. Their runtimes come through the npm
 * registry.
 */
const TARGETS = ["linux-x64", "linux-arm64", "darwin-arm64", "windows-x64"];

/** Only what runs here gets bytecode, because only that is tested; elsewhere a start takes some 100 ms more. */
const HERE = `bun-${process.platform}-${process.arch}`;

/** The program and its threads. */
const ENTRIES = [
  "src/main.ts",
  "src/checkpoint-worker.ts",
  "src/backup-worker.ts",
  "src/job-worker.ts",
  "src/segment-worker.ts",
  "src/sender-worker.ts",
  "src/signature-worker.ts",
];

type Request = { target: string | undefined; outfile: string };

function fail(message: string, exitCode: number): never {
  console.error(message);
  process.exit(exitCode);
}

function readFlags(argv: string[]): Request[] {
  try {
    const { values } = parseArgs({
      args: argv,
      options: { all: { type: "boolean" }, target: { type: "string" }, outfile: { type: "string" } },
    });
    if (values.all !== true)
      return [{ target: values.target, outfile: resolve(values.outfile ?? `${ROOT}/dist/postrider`) }];
    if (values.target !== undefined || values.outfile !== undefined)
      throw new Error("--all builds every target under its own name");
    return TARGETS.map((name) => ({
      target: `bun-${name}`,
      outfile: `${ROOT}/dist/postrider-${name}${name.startsWith("windows") ? ".exe" : ""}`,
    }));
  } catch (error) {
    return fail(`${error instanceof Error ? error.message.split(/[.\n]/)[0] : String(error)}. ${USAGE}`, 2);
  }
}

/**
 * MJML without two of its parts. One reads `.mjmlconfig` in the working directory at import, and runs the
 * files that it names. The other is an HTML minifier: nobody uses it here, and it needs the TypeScript
 * compiler in the bundle.
 */
const mjmlWithoutItsConfig: Bun.BunPlugin = {
  name: "mjml-without-its-config",
  setup(build) {
    build.onLoad({ filter: /mjml-core[\\/]lib[\\/]helpers[\\/]mjmlconfig\.js$/ }, () => ({
      loader: "js",
      contents:
        "module.exports = { __esModule: true, default() {}, readMjmlConfig() { return null; }, handleMjmlConfigComponents() {} };",
    }));
    build.onLoad({ filter: /node_modules[\\/]htmlnano[\\/]dist[\\/].*\.(?:mjs|cjs|js)$/ }, () => ({
      loader: "js",
      contents: `module.exports = { __esModule: true, default: { process() { throw new Error("MJML's minifier is not built in"); } } };`,
    }));
  },
};

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, "utf8")) as { version: string };
  return version;
}

/**
 * Code that the program and its threads share is in the executable once (`splitting`). The maps are embedded, so
 * traces name src/file.ts:line. Bun writes copies of them beside the executable, so it is built in a directory of
 * its own and moved out of it.
 */
async function compile({ target, outfile }: Request, version: string): Promise<void> {
  process.chdir(ROOT);
  const workshop = `${outfile}.build`;
  await rm(workshop, { recursive: true, force: true });
  await mkdir(workshop, { recursive: true });
  try {
    await compileInto(`${workshop}/${basename(outfile)}`, target, version);
    await rename(`${workshop}/${basename(outfile)}`, outfile);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function compileInto(outfile: string, target: string | undefined, version: string): Promise<void> {
  const built = await Bun.build({
    entrypoints: ENTRIES,
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target: target as Bun.Build.CompileTarget }),
    },
    minify: false,
    splitting: true,
    bytecode: target === undefined || target === HERE,
    format: "esm",
    sourcemap: "linked",
    plugins: [mjmlWithoutItsConfig, consoleInside(await buildConsole(11))],
    define: { "process.env.NODE_ENV": '"production"', BUILD_VERSION: JSON.stringify(version) },
  });
  for (const log of built.logs) console.error(`${log.level}: ${log.message}`);
  // Bun reports success although it made no bytecode (oven-sh/bun#15528): the message is the only sign.
  const unusable = built.logs.some(
    (log) => log.level === "error" || /failed to generate bytecode/i.test(log.message),
  );
  if (!built.success || unusable) throw new Error("see the lines above");
}

async function buildOne(request: Request, version: string): Promise<void> {
  try {
    await compile(request, version);
  } catch (error) {
    if (error instanceof AggregateError) for (const cause of error.errors) console.error(String(cause));
    await rm(request.outfile, { force: true });
    fail(`The build failed: ${errorText(error)}.`, 1);
  }
  const { size } = await stat(request.outfile);
  console.log(`Built ${request.outfile} (postrider ${version}, ${(size / 1024 / 1024).toFixed(0)} MiB).`);
}

const requests = readFlags(process.argv.slice(2));
const version = await readVersion();
for (const request of requests) await buildOne(request, version);
