import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Built, Manifest } from "./manifest.ts";

const OUT = resolve(import.meta.dir, "../../dist/console");

/**
 * The last build of the console, for a server that runs from source; null if it was never built. In the executable,
 * `scripts/console/embed.ts` replaces this module with another one: there the files are in the executable itself.
 */
export function builtConsole(): Built | null {
  const current = join(OUT, "current");
  if (!existsSync(current)) return null;
  const directory = join(OUT, readFileSync(current, "utf8"));
  const manifest = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as Manifest;
  return { manifest, pathOf: (name) => join(directory, name) };
}
