import type { Session } from "#storage/postgres/engine/session.ts";
import { present } from "#core/present.ts";

/**
 * How many records of a kind a workspace has, of one status or of all. Triggers keep the counts.
 * @param status null: any
 */
export async function recordCount(
  session: Session,
  workspace: number,
  kind: string,
  status: string | null = null,
): Promise<number> {
  const counted = await session.row<{ n: number }>(
    `SELECT coalesce(sum(n), 0)::int8 AS n FROM record_counts
     WHERE workspace = $1 AND kind = $2 AND ($3::text IS NULL OR status = $3)`,
    [workspace, kind, status],
  );
  return present(counted, "count of records").n;
}
