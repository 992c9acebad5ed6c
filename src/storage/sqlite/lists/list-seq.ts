import type { Database } from "bun:sqlite";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { lists } from "#storage/sqlite/schema/schema.ts";

/**
 * The row number of a list, by its workspace and its id; null where the workspace has no such list. Raw SQL, because a long
 * write asks on a connection of its own, where Drizzle is not.
 */
export function listSeq(sqlite: Database): (workspace: number, id: string) => number | null {
  const find = sqlite.query<Row<typeof lists, "seq">, [number, string]>(
    "SELECT seq FROM lists WHERE workspace = ? AND id = ?",
  );
  return (workspace, id) => find.get(workspace, id)?.seq ?? null;
}
