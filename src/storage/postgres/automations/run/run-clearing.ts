import type { RunStore } from "#automations/run/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";

const OLDEST = "SELECT seq FROM automations WHERE status = 'DELETED' ORDER BY seq LIMIT 1";
const some = (table: string): string =>
  `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE automation = $1 ORDER BY seq LIMIT $2)`;
const SOME = [some("automation_starts"), some("enrollments")];
/** The tables that are cleared last, and finally the automation's own row. */
const REST = [
  "DELETE FROM enrollment_counts WHERE automation = $1",
  "DELETE FROM automation_nodes WHERE automation = $1",
  "DELETE FROM automations WHERE seq = $1",
];

/**
 * Removes the rows of deleted automations in slices, because a million enrollments at once would make everybody
 * wait. Leaves an automation to another node that is clearing it.
 */
export function clearing({ read, write }: PostgresDatabase): RunStore["clearDeleted"] {
  return async (rowsMax) => {
    if ((await read(({ row }) => row(OLDEST))) === null) return false;
    return await write(async (tx) => {
      const oldest = await tx.row<{ seq: number }>(`${OLDEST} FOR UPDATE SKIP LOCKED`);
      if (oldest === null) return false;
      let removed = 0;
      for (const statement of SOME) removed += await tx.run(statement, [oldest.seq, rowsMax]);
      if (removed === 0) for (const statement of REST) await tx.run(statement, [oldest.seq]);
      return true;
    });
  };
}
