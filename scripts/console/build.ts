/**
 * Builds the console: one bundle of scripts in parts, one style sheet, each compressed twice. It is built in a
 * temporary directory and then renamed to a name made from all its sources. So two builds at the same time do not
 * disturb each other, and a server never sees half of one.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { browserslistToTargets, bundle } from "lightningcss";
import type { Manifest } from "../../src/console/manifest.ts";

const ROOT = resolve(import.meta.dir, "../..");
const UI = join(ROOT, "src/console/ui");
const OUT = join(ROOT, "dist/console");

/** What is read to know whether a build is needed. */
const MADE_FROM = ["package.json", "bun.lock", "scripts/console/build.ts", "src/console/manifest.ts"];

/**
 * `light-dark()` and nesting stay as they are. Bun's own CSS would lower them for browsers of 2020, and lose
 * colours.
 */
const BROWSERS = ["chrome 123", "firefox 121", "safari 17.5"];

/** How hard brotli tries: 5 takes a third of a second; 11 takes many, and is for the executable. */
type Quality = 5 | 11;

/** Builds the console, unless it was built from these files before. @returns its directory */
export async function buildConsole(quality: Quality = 5): Promise<string> {
  const stamp = await stampOf(quality);
  const directory = join(OUT, stamp);
  const current = await readFile(join(OUT, "current"), "utf8").catch(() => "");
  if (current === stamp) return directory;
  const workshop = `${directory}.${process.pid}`;
  await rm(workshop, { recursive: true, force: true });
  await mkdir(workshop, { recursive: true });
  await buildInto(workshop, quality);
  // Another build at the same time may have been faster: then its result is as good.
  await rename(workshop, directory).catch(() => rm(workshop, { recursive: true, force: true }));
  await pointTo(stamp);
  await removeOld(stamp);
  return directory;
}

const KEPT_MS = 3_600_000;

/** Builds of the last hour stay: somebody may have a page of them open. */
async function removeOld(stamp: string): Promise<void> {
  for (const name of await readdir(OUT)) {
    if (name.startsWith("current") || name === stamp) continue;
    const made = await stat(join(OUT, name)).catch(() => null);
    if (made !== null && Date.now() - made.mtimeMs > KEPT_MS)
      await rm(join(OUT, name), { recursive: true, force: true });
  }
}

async function pointTo(stamp: string): Promise<void> {
  const pointer = join(OUT, `current.${process.pid}`);
  await writeFile(pointer, stamp);
  await rename(pointer, join(OUT, "current"));
}

async function stampOf(quality: Quality): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256").update(`${Bun.version} ${quality}`);
  const files = await readdir(UI, { recursive: true, withFileTypes: true });
  const own = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of [...own.toSorted(), ...MADE_FROM.map((name) => join(ROOT, name))])
    hasher.update(path.slice(ROOT.length)).update(await readFile(path));
  return hasher.digest("hex").slice(0, 16);
}

async function buildInto(directory: string, quality: Quality): Promise<void> {
  const script = await bundleScripts();
  const style = bundleStyle();
  for (const { name, bytes } of [...script.files, style]) {
    await writeFile(join(directory, `${name}.br`), brotli(bytes, quality));
    await writeFile(join(directory, `${name}.gz`), gzipSync(bytes, { level: quality === 11 ? 9 : 6 }));
  }
  const files = [...script.files, style].map(({ name }) => name).toSorted();
  const manifest: Manifest = { files, script: script.entry, preload: script.preload, style: style.name };
  await writeFile(join(directory, "manifest.json"), JSON.stringify(manifest));
}

type Built = { readonly name: string; readonly bytes: Uint8Array };

/**
 * The scripts. The parts that the entry imports at once are listed, so that a browser requests all of them
 * together; parts that it imports later are loaded when a screen needs them.
 */
async function bundleScripts(): Promise<{ files: Built[]; entry: string; preload: string[] }> {
  const built = await Bun.build({
    entrypoints: [join(UI, "main.tsx")],
    root: UI,
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  });
  if (!built.success) throw new Error(built.logs.map(String).join("\n"));
  const files = await Promise.all(
    built.outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
  const entry = built.outputs.find(({ kind }) => kind === "entry-point");
  if (entry === undefined || built.metafile === undefined) throw new Error("the bundle has no entry");
  const name = basename(entry.path);
  return { files, entry: name, preload: importedAtOnce(built.metafile, name) };
}

/** The parts that a part needs before it runs, including those that they need. */
function importedAtOnce(metafile: Bun.BuildMetafile, entry: string): string[] {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, part]) => [basename(path), part]));
  const found = new Set<string>();
  const walk = (name: string): void => {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      const next = basename(path);
      if (kind !== "import-statement" || found.has(next) || !outputs.has(next)) continue;
      found.add(next);
      walk(next);
    }
  };
  walk(entry);
  return [...found].toSorted();
}

function bundleStyle(): Built {
  const { code } = bundle({
    filename: join(UI, "base.css"),
    minify: true,
    targets: browserslistToTargets(BROWSERS),
  });
  const hash = new Bun.CryptoHasher("sha256").update(code).digest("hex").slice(0, 8);
  return { name: `style-${hash}.css`, bytes: code };
}

function brotli(bytes: Uint8Array, quality: Quality): Uint8Array {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
