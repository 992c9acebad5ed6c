import { runCommandLine } from "#commands/line/run.ts";

process.exit(await runCommandLine(process.argv.slice(2)));
