import { checkMayBeNew, databasePath, isReplaced, replacementOf, serverOf } from "#app/database.ts";
import { openServicesAt, type Services } from "#app/services.ts";
import { upgradeProgress } from "#app/upgrade-log.ts";
import { readDatabase, readDataDirectory } from "#config.ts";
import { Advised } from "#core/errors/advised.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { UsageError, type Call } from "#commands/line/command.ts";
import { isDatabaseThere } from "#commands/line/database-file.ts";

/**
 * A command may wait longer than a request. While an import runs or the server is busy, it takes longer until
 * the command may write.
 */
const LOCK_WAIT_MS = 60_000;

type Working<T> = (services: Services) => Promise<T>;

/**
 * Opens the database, also while a server is running, and closes it again.
 * @throws if there is no database, or this user may not open it
 */
export const withServices = <T>(call: Call, work: Working<T>): Promise<T> => withOpened(call, work, false);

/** The same, but where there is no database, one is made. */
export const withServicesOrNew = <T>(call: Call, work: Working<T>): Promise<T> =>
  withOpened(call, work, true);

async function withOpened<T>(call: Call, work: Working<T>, make: boolean): Promise<T> {
  const dataDir = unwrap(readDataDirectory(call));
  const address = unwrap(readDatabase(call));
  if (address === null && !isDatabaseThere(databasePath(dataDir)) && !make) throw noDatabase(dataDir);
  if (address === null) refuseUnready(dataDir);
  const world = { clock: call.clock, random: systemRandom, log: quietLog(call) };
  const progress = upgradeProgress(call.clock);
  const services = await openServicesAt({ dataDir, address }, world, {
    lockWaitMs: LOCK_WAIT_MS,
    make,
    onUpgrade({ from, to }, step) {
      if (step.kind === "copies") refuseUnderServer(dataDir, { from, to });
      const text =
        step.kind === "done"
          ? `the database was upgraded from schema ${from} to ${to}; a copy of the old one is in ${step.copy}`
          : progress(step);
      if (text !== null) call.output.warn(text);
    },
  });
  try {
    if (address === null) refuseUnderReplacement(dataDir);
    return await work(services);
  } finally {
    await services.close();
  }
}

/**
 * A server that runs knows only the schema that it started with, and writes by it. Called before anything is changed.
 */
function refuseUnderServer(
  dataDir: string,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const server = serverOf(dataDir);
  if (server !== null)
    throw new Error(
      `this version would upgrade the database (from schema ${from} to ${to}) under ${server}: stop that first, or use its own executable`,
    );
}

/**
 * A server goes on with the file that it opened, and that file's log lies beside the one at its name now. A command would
 * write the log into it.
 * @throws Advised
 */
function refuseReplaced(dataDir: string): void {
  const path = databasePath(dataDir);
  if (!isDatabaseThere(path) || !isReplaced(path)) return;
  const server = serverOf(dataDir);
  if (server === null) return;
  throw new Advised(
    `${path} is not the file that ${server} has open: put that one back, or stop the server first`,
  );
}

/**
 * A restore takes over who left, and then puts another file in this one's place, and a move copies it: what a command
 * writes in between would be gone, although it said that it is done. Called before the file is opened, which would wait
 * for a move; and when it is open: what begins later waits for that.
 * @throws Advised
 */
function refuseUnderReplacement(dataDir: string): void {
  const holder = replacementOf(dataDir);
  if (holder === null) return;
  throw new Advised(
    `${databasePath(dataDir)} is being replaced or copied by ${holder}. Wait until it has ended, and run the same command again`,
  );
}

/**
 * The data directory, for a command that works on SQLite's file.
 * @param instead what does the same for PostgreSQL
 * @throws UsageError where the data is in PostgreSQL
 */
export function directoryOf(call: Call, instead: string): string {
  if (unwrap(readDatabase(call)) !== null)
    throw new UsageError(`the data is in PostgreSQL (DATABASE_URL): ${instead}`);
  return unwrap(readDataDirectory(call));
}

/** Called before the file is opened. @throws Advised */
function refuseUnready(dataDir: string): void {
  refuseReplaced(dataDir);
  refuseUnderReplacement(dataDir);
}

/**
 * The path of the database.
 * @throws Advised if there is no database yet, this user may not open it, or it is being replaced or moved
 */
export function presentDatabase(call: Call): string {
  const dataDir = unwrap(readDataDirectory(call));
  refuseUnready(dataDir);
  if (isDatabaseThere(databasePath(dataDir))) return databasePath(dataDir);
  throw noDatabase(dataDir);
}

/** @throws Advised if a server had one there, or a move has not completed one */
function noDatabase(dataDir: string): Advised {
  checkMayBeNew(databasePath(dataDir));
  return new Advised(
    `there is no database in ${dataDir}: start the server once, or name its directory with --data-dir, or its PostgreSQL with DATABASE_URL`,
  );
}

/** `withServices` for the workspace that `--workspace` names, or for the only one. */
export async function inWorkspace<T>(
  call: Call,
  work: (services: Services, workspaceId: string) => Promise<T>,
): Promise<T> {
  const named = call.flags.workspace;
  if (named === "") throw new UsageError("--workspace needs the ID of one: see `postrider workspace list`");
  return await withServices(call, async (services) => work(services, await services.workspaces.pick(named)));
}

/**
 * `inWorkspace` for a command that is recorded in the audit log. Its target is the first operand, or what
 * `nameTarget` says.
 */
export const recordedInWorkspace = <T>(call: Call, what: string, work: InWorkspace<T>): Promise<T> =>
  recorded(call, what, work, false);

/** The same for a command that may change nothing: then nothing is recorded. */
export const recordedIfChanged = <T>(call: Call, what: string, work: InWorkspace<T>): Promise<T> =>
  recorded(call, what, work, true);

type InWorkspace<T> = (services: Services, workspaceId: string) => Promise<T>;

const recorded = <T>(call: Call, what: string, work: InWorkspace<T>, onlyIfChanged: boolean): Promise<T> =>
  inWorkspace(call, (services, workspaceId) => {
    const act = { workspaceId, who: COMMAND_LINE, what, target: call.operands[0] ?? null, onlyIfChanged };
    return services.audit.record(act, () => work(services, workspaceId));
  });

/** For work that cannot be undone if it stops halfway: its entry is written before it begins. */
export const recordBeforehand = (
  { audit }: Services,
  workspaceId: string,
  what: string,
  target: string | null,
): Promise<void> => audit.record({ workspaceId, who: COMMAND_LINE, what, target }, () => Promise.resolve());

/** Who acts, in the audit log. */
const COMMAND_LINE = "command line";

/** A command prints its result itself, and an error is its one line. */
const quietLog = ({ clock }: Call) =>
  createLog({ level: "error", format: "json", clock, write: () => undefined });
