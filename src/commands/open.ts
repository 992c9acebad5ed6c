import { existsSync } from "node:fs";
import { databasePath, openServices, type Services } from "#app.ts";
import { readDataDirectory } from "#config.ts";
import { unwrap } from "#core/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import type { Call } from "#commands/line/command.ts";

/** Nobody waits for a command's answer as for a server's: beside an import or a busy server it waits longer for its turn to write. */
const LOCK_WAIT_MS = 60_000;

/** Opens the database beside a server that may be running, and closes it again. @throws where there is none yet: only serving makes one */
export async function withServices<T>(
  call: Call,
  work: (services: Services) => Promise<T>,
  make = false,
): Promise<T> {
  const dataDir = unwrap(readDataDirectory(call));
  if (!make) presentDatabase(call);
  const world = { clock: call.clock, random: systemRandom, log: quietLog(call) };
  const services = openServices(dataDir, world, ({ from, to, copy }, isDone) => {
    if (isDone)
      call.output.warn(
        `the database was brought up from schema ${from} to ${to}; as it was it is kept in ${copy}`,
      );
  });
  services.database.writes.lockWaitMs = LOCK_WAIT_MS;
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** The database's file. @throws where there is none yet */
export function presentDatabase(call: Call): string {
  const dataDir = unwrap(readDataDirectory(call));
  if (existsSync(databasePath(dataDir))) return databasePath(dataDir);
  throw new Error(
    `there is no database in ${dataDir}: start the server once, or name its directory with --data-dir`,
  );
}

/** `withServices` for the workspace of `--workspace`, or the only one. */
export function inWorkspace<T>(
  call: Call,
  work: (services: Services, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withServices(call, async (services) =>
    work(services, await services.workspaces.pick(call.flags.workspace)),
  );
}

/** A command says what it did by itself; what goes wrong is its one line. */
const quietLog = ({ clock }: Call) =>
  createLog({ level: "error", format: "json", clock, write: () => undefined });
