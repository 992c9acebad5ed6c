/**
 * A temporary PostgreSQL: `sh scripts/postgres` prints its address, and ends it on Ctrl-C; nothing of it is left.
 * `--for FILE` is for scripts/test: the address goes to a file (or `none: ` and the reason), and PostgreSQL ends
 * with the process that started this one.
 */
import { errorText } from "../src/core/errors/thrown.ts";
import { renameSync, writeFileSync } from "node:fs";
import { NoPostgres, startCluster } from "../test/support/storage/postgres-cluster.ts";

const [flag, file] = process.argv.slice(2);
if (flag !== undefined && (flag !== "--for" || file === undefined)) {
  console.error("Usage: sh scripts/postgres [--for FILE]");
  process.exit(2);
}

/** Written whole or not at all, because somebody is waiting for it. */
function tell(text: string): void {
  if (file === undefined) console.log(text);
  else {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
  }
}

const parent = process.ppid;
// A server starts only where what was answered is on the disk. For tests that would only cost time.
const cluster = await startCluster(file === undefined ? ["fsync=on"] : undefined).catch((error: unknown) => {
  tell(`none: ${errorText(error)}`);
  if (!(error instanceof NoPostgres)) throw error;
  process.exit(file === undefined ? 1 : 0);
});
tell(cluster.url);

let isEnding = false;
const end = async (): Promise<void> => {
  if (isEnding) return;
  isEnding = true;
  await cluster.stop();
  process.exit(0);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void end());
setInterval(() => {
  if (file !== undefined && process.ppid !== parent) void end();
}, 500);
