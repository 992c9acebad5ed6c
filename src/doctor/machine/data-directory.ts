import { closeSync, openSync, rmSync, statfsSync, statSync, type Stats } from "node:fs";
import { checkFileSystem, checkFreeSpace } from "./file-system.ts";
import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";
import { errorCode, isNoPath } from "#core/errors/error-code.ts";
import { letIn } from "./let-in.ts";

const DIRECTORY = about("data_directory");
const ADVICE_MISSING = "start the server once, or name its directory with --data-dir";

/** @param databasePath the file need not exist yet */
export function checkDataDirectory(directory: string, databasePath: string): Finding[] {
  const found = lookAt(directory);
  if (found === "refused")
    return [fail(DIRECTORY, `this user may not look at ${directory}`, letIn(directory))];
  if (found === undefined) return [fail(DIRECTORY, `there is no ${directory}`, ADVICE_MISSING)];
  if (!found.isDirectory()) return [fail(DIRECTORY, `${directory} is no directory`, ADVICE_MISSING)];
  const fileSystem = statfsSync(directory);
  const database = lookAt(databasePath);
  const databaseBytes = database === "refused" ? 0 : (database?.size ?? 0);
  return [
    checkWritable(directory),
    checkModes(directory, databasePath),
    checkFileSystem(fileSystem, process.platform),
    checkFreeSpace(fileSystem, databaseBytes),
  ];
}

/** What stands there; undefined: nothing. */
function lookAt(path: string): Stats | undefined | "refused" {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "EACCES") return "refused";
    if (isNoPath(error)) return undefined;
    throw error;
  }
}

function checkWritable(directory: string): Finding {
  const probe = `${directory}/.doctor-${process.pid}`;
  try {
    closeSync(openSync(probe, "wx", 0o600));
    rmSync(probe);
    return ok(DIRECTORY, `${directory} can be written`);
  } catch (error) {
    const code = errorCode(error);
    return fail(
      DIRECTORY,
      `${directory} cannot be written (${code})`,
      code === "EACCES"
        ? `${letIn(directory)}; if the server is another user's, give that one the directory`
        : "make room where the disk is full, and see that it can be written",
    );
  }
}

/**
 * The database holds people's addresses and the secret that signs links. Not checked on Windows, which has
 * other permissions.
 */
export function checkModes(directory: string, databasePath: string): Finding {
  const check = about("file_modes");
  if (process.platform === "win32") return ok(check, "not looked at on win32");
  const open = [directory, databasePath].filter((path) => {
    const found = lookAt(path);
    return found !== undefined && found !== "refused" && (found.mode & 0o077) !== 0;
  });
  if (open.length === 0) return ok(check, "only the owner can read the data");
  return warn(
    check,
    `others on this machine have access to ${open.join(" and ")}`,
    `chmod go= ${open.join(" ")}`,
  );
}
