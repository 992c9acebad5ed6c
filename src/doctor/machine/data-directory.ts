import { closeSync, openSync, rmSync, statfsSync, statSync } from "node:fs";
import { checkFileSystem, checkFreeSpace } from "./file-system.ts";
import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";

const DIRECTORY = about("data_directory");
const ADVICE_MISSING = "start the server once, or name its directory with --data-dir";

/** @param databasePath the file need not exist yet */
export function checkDataDirectory(directory: string, databasePath: string): Finding[] {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return [fail(DIRECTORY, `there is no ${directory}`, ADVICE_MISSING)];
  if (!found.isDirectory()) return [fail(DIRECTORY, `${directory} is no directory`, ADVICE_MISSING)];
  const fileSystem = statfsSync(directory);
  const databaseBytes = statSync(databasePath, { throwIfNoEntry: false })?.size ?? 0;
  return [
    checkWritable(directory),
    checkModes(directory, databasePath),
    checkFileSystem(fileSystem, process.platform),
    checkFreeSpace(fileSystem, databaseBytes),
  ];
}

function checkWritable(directory: string): Finding {
  const probe = `${directory}/.doctor-${process.pid}`;
  try {
    closeSync(openSync(probe, "wx", 0o600));
    rmSync(probe);
    return ok(DIRECTORY, `${directory} can be written`);
  } catch (error) {
    const { code } = error as { code?: string };
    return fail(
      DIRECTORY,
      `${directory} cannot be written (${code})`,
      "give it to the user the server runs as, and make room where the disk is full",
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
  const open = [directory, databasePath].filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  if (open.length === 0) return ok(check, "only the owner can read the data");
  return warn(
    check,
    `others on this machine have access to ${open.join(" and ")}`,
    `chmod go= ${open.join(" ")}`,
  );
}
