import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * Builds the one executable. Not minified: Elysia reads the text of handlers, and a shipped server must behave
 * as the tested one. Neither .env nor bunfig.toml of the directory it runs in is loaded: a bunfig.toml could run code.
 */
const ROOT = resolve(import.meta.dir, "..");
const USAGE = "Usage: sh scripts/build [--target bun-linux-x64|bun-linux-arm64|…] [--outfile FILE]";

type Request = { target: string | undefined; outfile: string };

function fail(message: string, exitCode: number): never {
  console.error(message);
  process.exit(exitCode);
}

function readFlags(argv: string[]): Request {
  try {
    const { values } = parseArgs({
      args: argv,
      options: { target: { type: "string" }, outfile: { type: "string" } },
    });
    return { target: values.target, outfile: resolve(values.outfile ?? `${ROOT}/dist/postrider`) };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message.split(/[.\n]/)[0] : String(error)}. ${USAGE}`, 2);
  }
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, "utf8")) as { version: string };
  return version;
}

/** The map is embedded, so traces name src/file.ts:line; the copy Bun writes beside the executable is dropped. */
async function compile({ target, outfile }: Request, version: string): Promise<void> {
  process.chdir(ROOT);
  await mkdir(dirname(outfile), { recursive: true });
  const built = await Bun.build({
    entrypoints: ["src/main.ts"],
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target: target as Bun.Build.CompileTarget }),
    },
    minify: false,
    bytecode: true,
    format: "esm",
    sourcemap: "linked",
    define: { "process.env.NODE_ENV": '"production"', BUILD_VERSION: JSON.stringify(version) },
  });
  for (const log of built.logs) console.error(`${log.level}: ${log.message}`);
  // Bun reports success although it made no bytecode (oven-sh/bun#15528): the message is the only sign.
  const unusable = built.logs.some(
    (log) => log.level === "error" || /failed to generate bytecode/i.test(log.message),
  );
  if (!built.success || unusable) throw new Error("see the lines above");
  await rm(`${outfile}.map`, { force: true });
}

const request = readFlags(process.argv.slice(2));
const version = await readVersion();
try {
  await compile(request, version);
} catch (error) {
  if (error instanceof AggregateError) for (const cause of error.errors) console.error(String(cause));
  await rm(request.outfile, { force: true });
  fail(`The build failed: ${error instanceof Error ? error.message : String(error)}.`, 1);
}
console.log(`Built ${request.outfile} (postrider ${version}).`);
