import { existsSync } from "node:fs";
import { databasePath } from "#app/database.ts";
import { openServices, type Services } from "#app/services.ts";
import { upgradeProgress } from "#app/upgrade-log.ts";
import { readDataDirectory } from "#config.ts";
import { unwrap } from "#core/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import type { Call } from "#commands/line/command.ts";

/**
 * A command may wait longer than a request. While an import runs or the server is busy, it takes longer until
 * the command may write.
 */
const LOCK_WAIT_MS = 60_000;

/**
 * Opens the database, also while a server is running, and closes it again.
 * @throws if there is no database yet: only `serve` creates one
 */
export async function withServices<T>(
  call: Call,
  work: (services: Services) => Promise<T>,
  make = false,
): Promise<T> {
  const dataDir = unwrap(readDataDirectory(call));
  if (!make) presentDatabase(call);
  const world = { clock: call.clock, random: systemRandom, log: quietLog(call) };
  const progress = upgradeProgress(call.clock);
  const services = openServices(dataDir, world, ({ from, to }, step) => {
    const text =
      step.kind === "done"
        ? `the database was brought up from schema ${from} to ${to}; as it was it is kept in ${step.copy}`
        : progress(step);
    if (text !== null) call.output.warn(text);
  });
  services.database.writes.lockWaitMs = LOCK_WAIT_MS;
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/**
 * The path of the database.
 * @throws if there is no database yet
 */
export function presentDatabase(call: Call): string {
  const dataDir = unwrap(readDataDirectory(call));
  if (existsSync(databasePath(dataDir))) return databasePath(dataDir);
  throw new Error(
    `there is no database in ${dataDir}: start the server once, or name its directory with --data-dir`,
  );
}

/** `withServices` for the workspace that `--workspace` names, or for the only one. */
export function inWorkspace<T>(
  call: Call,
  work: (services: Services, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withServices(call, async (services) =>
    work(services, await services.workspaces.pick(call.flags.workspace)),
  );
}

/** A command prints its result itself, and an error is its one line. */
const quietLog = ({ clock }: Call) =>
  createLog({ level: "error", format: "json", clock, write: () => undefined });
