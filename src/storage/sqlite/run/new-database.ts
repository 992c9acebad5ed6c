/** Where no new database may be made, because people expect another one there. */
import { existsSync, lstatSync, statSync, type Stats } from "node:fs";
import { Advised } from "#core/errors/advised.ts";
import { isNoPath } from "#core/errors/error-code.ts";
import { readRunRecord, runRecordOf } from "./run-record.ts";

/** What a move fills, until it is complete and gets the name of the database. */
export const movingPartOf = (path: string): string => `${path}.moving`;

/** The copy that a restore makes, until it is complete and gets the name of the database. */
export const restoredPartOf = (path: string): string => `${path}.part`;

/**
 * A new database would have nobody in it, not even those who left, and new keys. So none is made where the record says
 * that a server had one: its disk may be missing, or somebody moved the file. Nor beside what a move or a restore has not
 * completed: people expect what was to come there, and its name would be taken.
 * @throws Advised
 */
export function checkMayBeNew(path: string): void {
  if (sizeOf(path) > 0) return;
  const part = movingPartOf(path);
  if (existsSync(part))
    throw new Advised(
      `${part} is what a move has not completed: call \`postrider move\` again, which goes on. To begin anew, with nobody in it, remove ${part} first`,
    );
  const restored = restoredPartOf(path);
  if (isFile(restored))
    throw new Advised(
      `${restored} is what a restore has not completed: wait if it is still running, otherwise call \`postrider restore\` again. To begin anew, with nobody in it, remove ${restored} first`,
    );
  const record = runRecordOf(path);
  if ((readRunRecord(record)?.run ?? 0) === 0) return;
  throw new Advised(
    `${path} is gone or empty, though a server has used it (${record}): put it back, or restore a backup with \`postrider restore\`. To begin anew, with nobody in it, remove ${record} first`,
  );
}

/** 0 where nothing is. */
const sizeOf = (path: string): number => ifThere(() => statSync(path, { throwIfNoEntry: false }))?.size ?? 0;

/** Not for a link: a restore leaves a file, and a link of that name is somebody else's, which nobody follows. */
const isFile = (path: string): boolean =>
  ifThere(() => lstatSync(path, { throwIfNoEntry: false }))?.isFile() ?? false;

function ifThere(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (isNoPath(error)) return undefined;
    throw error;
  }
}
