import type { SqliteDatabase } from "./open.ts";

/** Writes for the sake of writing. Resolves when it is durable: an empty transaction would succeed on a full disk too. */
export function probeWrite({ sqlite, writes }: SqliteDatabase): Promise<void> {
  return writes.write<void>(() => {
    sqlite.query("UPDATE instance SET created_at = created_at").run();
  });
}
