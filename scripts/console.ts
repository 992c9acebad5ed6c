import { buildConsole } from "./console/build.ts";

/**
 * Builds the console into dist/console, where a server that runs from source reads it: `bun scripts/console.ts`.
 * Does nothing and says nothing if it was built from these files already. `scripts/prepare` and `bun start`
 * call it.
 */
if (process.argv.length > 2) {
  console.error("Usage: bun scripts/console.ts");
  process.exit(2);
}
await buildConsole();
