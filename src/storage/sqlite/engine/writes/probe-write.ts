import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { isFull } from "#core/errors/storage-error.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";

/**
 * With less free space than this, the disk still counts as full, although a small write may fit into space
 * that the log already has.
 */
const ROOM_BYTES = 1_000_000;

/**
 * Tests whether the database can be written, and resolves when the test value is durable. The value changes
 * each time: SQLite skips a write that changes nothing, and such a write would succeed on a full disk too.
 */
export async function probeWrite({ sqlite, writes, faults }: SqliteDatabase): Promise<void> {
  if (isFull(faults.current) && freeBytes(sqlite.filename) < ROOM_BYTES) throw faults.current;
  await writes.write<void>(() => {
    const { user_version: value } = present(
      sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get(),
      "version of the database",
    );
    sqlite.exec(`PRAGMA user_version = ${(value + 1) % 2 ** 31}`);
  });
  faults.writeWorks();
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}
