import { runCommandLine } from "#commands/run.ts";

process.exit(await runCommandLine(process.argv.slice(2)));
