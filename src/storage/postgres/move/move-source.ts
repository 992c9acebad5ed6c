import { present } from "#core/present.ts";
import { checkNotMoved } from "#move/moved-away.ts";
import type { MoveSource } from "#move/store.ts";
import { stillUnderWay } from "#move/under-way.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { movedTo } from "#storage/postgres/run/moved-to.ts";
import { placeOf, readRows, rowsOf, sumsOf } from "./moved-rows.ts";

/** Changes when a server or a command uses the database: servers have numbers, commands write audit entries. */
const STAMP = `SELECT json_build_array(created_at, (SELECT max(id) FROM nodes), (SELECT max(seq) FROM audit))::text
  AS stamp FROM instance`;
const UNDER_WAY = `SELECT (SELECT count(*) FROM nodes WHERE fenced_at IS NULL) AS servers,
  (SELECT count(*) FROM mailings WHERE phase = 'planning') AS plans,
  (SELECT count(*) FROM imports WHERE state = 'RUNNING') AS imports`;
const HIGHEST =
  "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'seq')::regclass), 0) AS seq";

const stampNow = async ({ row }: Session): Promise<string> =>
  present(await row<{ stamp: string }>(STAMP), "row of the installation").stamp;

/** A database that no node uses. What earlier nodes left was taken over before. */
export function postgresSource({ read, write }: Pick<PostgresDatabase, "read" | "write">): MoveSource {
  return {
    stamp: () => read(stampNow),
    movedTo: () => read((session) => movedTo(session)),
    retire: (stamp, place, look) =>
      write(async (tx) => {
        // It waits for whoever looks, which takes long where there is much.
        await tx.run("SET LOCAL idle_in_transaction_session_timeout = 0");
        // A joining node and each write of a command lock the row too: either it is seen here, or it sees the mark.
        checkNotMoved(await movedTo(tx, "FOR UPDATE"), place);
        if ((await stampNow(tx)) !== stamp) return false;
        await look();
        await tx.run("UPDATE instance SET moved_to = $1", [place]);
        return true;
      }),
    unfinished: async () => {
      const found = await read(({ row }) =>
        row<{ servers: number; plans: number; imports: number }>(UNDER_WAY),
      );
      return stillUnderWay(present(found, "counts"));
    },
    count: async (table) => {
      const found = await read(({ row }) => row<{ n: number }>(`SELECT count(*) AS n FROM ${rowsOf(table)}`));
      return present(found, "count of rows").n;
    },
    read: (table, after, limit) => read((session) => readRows(session, table, after, limit)),
    placeOf,
    sums: (table) => read((session) => sumsOf(session, table)),
    highest: async ({ name }) =>
      present(await read(({ row }) => row<{ seq: number }>(HIGHEST, [name])), "highest number").seq,
  };
}
