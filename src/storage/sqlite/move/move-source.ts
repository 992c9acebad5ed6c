import { present } from "#core/present.ts";
import { stillUnderWay } from "#move/under-way.ts";
import { checkNotMoved } from "#move/moved-away.ts";
import type { MoveSource } from "#move/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { movedTo } from "#storage/sqlite/run/moved-to.ts";
import { placeOf, readRows, sumsOf } from "./moved-rows.ts";

/** Changes whenever a server or a command has used the file: servers have numbers, and commands write audit entries. */
const STAMP = `SELECT json_array(created_at, (SELECT seq FROM sqlite_sequence WHERE name = 'runs'),
  (SELECT max(seq) FROM audit)) AS stamp FROM instance`;
const UNDER_WAY = `SELECT 0 AS servers, (SELECT count(*) FROM mailings WHERE phase = 'planning') AS plans,
  (SELECT count(*) FROM imports WHERE state = 'RUNNING') AS imports`;

/** A database that no server uses. What an earlier one left was taken over before. */
export function sqliteSource(database: SqliteDatabase): MoveSource {
  const { sqlite, writes } = database;
  const stampNow = (): string =>
    present(sqlite.query<{ stamp: string }, []>(STAMP).get(), "row of the installation").stamp;
  return {
    stamp: async () => stampNow(),
    movedTo: async () => movedTo(sqlite),
    async retire(stamp, place, look) {
      // Nobody else has the file open: see `files/alone.ts`.
      await look();
      return await writes.write(() => {
        checkNotMoved(movedTo(sqlite), place);
        if (stampNow() !== stamp) return false;
        sqlite.query<null, [string]>("UPDATE instance SET moved_to = ?").run(place);
        return true;
      });
    },
    unfinished: async () =>
      stillUnderWay(
        present(
          sqlite.query<{ servers: number; plans: number; imports: number }, []>(UNDER_WAY).get(),
          "counts",
        ),
      ),
    count: async ({ name }) =>
      present(sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${name}`).get(), "count of rows").n,
    read: async (table, after, limit) => readRows(sqlite, table, after, limit),
    placeOf,
    sums: async (table) => sumsOf(sqlite, table),
    highest: async ({ name }) => {
      const given = sqlite.query<{ seq: number }, [string]>(
        `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), max(seq), 0) AS seq FROM ${name}`,
      );
      return present(given.get(name), "highest number").seq;
    },
  };
}
