import type { Database } from "bun:sqlite";
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { lackOfRoom, type Lack } from "#backups/room.ts";
import { present } from "#core/present.ts";

/**
 * Why a copy of so many bytes does not fit. Null: it does, or nobody can say: some disks, such as those of a network, do
 * not tell their size.
 * @param database the server's database, or where it will be
 */
export function lackFor(target: string, copyBytes: number, database: string): Lack | null {
  const directory = dirname(target);
  const { blocks, bavail, bsize } = statfsSync(directory);
  const { dev } = statSync(database, { throwIfNoEntry: false }) ?? statSync(dirname(database));
  const isServersDisk = dev === statSync(directory).dev;
  return blocks === 0 ? null : lackOfRoom({ copyBytes, freeBytes: bavail * bsize, isServersDisk });
}

/** How large `VACUUM INTO` makes its copy: what was deleted leaves free pages, which are not copied. */
export const copyBytesOf = (sqlite: Database): number =>
  present(
    sqlite
      .query<{ bytes: number }, []>(
        `SELECT (page_count - freelist_count) * page_size AS bytes
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      )
      .get(),
    "size of the database",
  ).bytes;
