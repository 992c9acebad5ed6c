import { runInThisProcess } from "#commands/line/this-process.ts";

process.exit(await runInThisProcess(process.argv.slice(2)));
