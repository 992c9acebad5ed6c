/** Whether the data of this file was moved to another database, which since then sends what this one owed. */
import type { Database } from "bun:sqlite";
import type { Instant } from "#core/time/clock.ts";
import { movedAway, notMoved } from "#move/moved-away.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { instance } from "#storage/sqlite/schema/schema.ts";
import { holdCopied } from "./hold.ts";

const MOVED_TO = "SELECT moved_to AS movedTo FROM instance";

/** Where the data was moved, in words; null: it is here. */
export const movedTo = (sqlite: Database): string | null =>
  sqlite.query<Row<typeof instance, "movedTo">, []>(MOVED_TO).get()?.movedTo ?? null;

/** @throws Error for a person who starts a server or a command on a file whose data was moved away */
export function checkStillHere(sqlite: Database): void {
  const place = movedTo(sqlite);
  if (place !== null) throw movedAway(place);
}

/**
 * Lets servers start on it again, and holds everything as in a copy: it is not known here what the other database has
 * sent, and whether its servers have ended. Returns how many things are held. @throws Error if it was not moved away
 */
export const takeBack = ({ sqlite, writes }: SqliteDatabase, now: Instant): Promise<number> =>
  writes.write(() => {
    if (movedTo(sqlite) === null) throw notMoved();
    sqlite.run("UPDATE instance SET moved_to = NULL");
    return holdCopied(sqlite, now);
  });
