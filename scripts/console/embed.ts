import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../src/console/manifest.ts";

/**
 * Puts the built console into the executable: `src/console/built.ts` becomes a module that names every file to
 * embed. Files are read only on request.
 * @param directory where `buildConsole` of `build.ts` left it
 */
export function consoleInside(directory: string): Bun.BunPlugin {
  return {
    name: "console-inside",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]console[\\/]built\.ts$/ }, async () => ({
        loader: "ts",
        contents: await moduleOf(directory),
      }));
    },
  };
}

async function moduleOf(directory: string): Promise<string> {
  const text = await readFile(join(directory, "manifest.json"), "utf8");
  const { files } = JSON.parse(text) as Manifest;
  const compressed = files.flatMap((name) => [`${name}.br`, `${name}.gz`]);
  return [
    ...compressed.map(
      (name, at) => `import f${at} from ${JSON.stringify(join(directory, name))} with { type: "file" };`,
    ),
    `const PATHS = new Map([${compressed.map((name, at) => `[${JSON.stringify(name)}, f${at}]`).join(", ")}]);`,
    `const MANIFEST = ${text};`,
    "const pathOf = (name) => PATHS.get(name) ?? name;",
    "export const builtConsole = () => ({ manifest: MANIFEST, pathOf });",
    "",
  ].join("\n");
}
