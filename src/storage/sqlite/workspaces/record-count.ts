import { and, eq, sql } from "drizzle-orm";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import { recordCounts } from "#storage/sqlite/schema/tables/workspaces.ts";

/** How many records of a kind a workspace has, whatever their status. Triggers keep the counts. */
export function recordCount({
  orm,
}: Pick<SqliteDatabase, "orm">): (workspace: number, kind: string) => number {
  const count = orm
    .select({ n: sql<number>`coalesce(sum(${recordCounts.n}), 0)` })
    .from(recordCounts)
    .where(
      and(
        eq(recordCounts.workspace, sql.placeholder("workspace")),
        eq(recordCounts.kind, sql.placeholder("kind")),
      ),
    )
    .prepare();
  return (workspace, kind) => present(count.get({ workspace, kind }), "count of records").n;
}
