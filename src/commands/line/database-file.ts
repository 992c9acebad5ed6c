import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Advised } from "#core/errors/advised.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { serversUser } from "#doctor/machine/servers-user.ts";

/**
 * Whether there is a database at this path.
 * @throws Advised if this user may not look, or may not open it: SQLite would only say that it cannot
 */
export function isDatabaseThere(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
    accessSync(path, constants.R_OK);
    checkLog(realpathSync(path));
    return true;
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(errorCode(error))) throw error;
    throw new Advised(`this user may not open ${path}: run it as ${serversUser(path)}`, { cause: error });
  }
}

/**
 * Who only reads the database needs its log and the log's index too. While a server runs, both are there. Else SQLite
 * makes them, beside the file itself (sqlite.org/wal.html "Read-Only Databases").
 */
function checkLog(path: string): void {
  const index = `${path}-shm`;
  if (!existsSync(index)) return accessSync(dirname(path), constants.W_OK);
  for (const part of [index, `${path}-wal`]) if (existsSync(part)) accessSync(part, constants.R_OK);
}
