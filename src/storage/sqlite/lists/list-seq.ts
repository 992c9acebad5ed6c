import type { Database } from "bun:sqlite";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { lists } from "#storage/sqlite/schema/schema.ts";

/**
 * The row number of a list; null if the workspace has no such list. Raw SQL, because long writes use it on a
 * connection that Drizzle does not have.
 */
export function listSeq(sqlite: Database): (workspace: number, id: string) => number | null {
  const find = sqlite.query<Row<typeof lists, "seq">, [number, string]>(
    "SELECT seq FROM lists WHERE workspace = ? AND id = ?",
  );
  return (workspace, id) => find.get(workspace, id)?.seq ?? null;
}
