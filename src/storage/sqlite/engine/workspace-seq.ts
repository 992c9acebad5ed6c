import type { Database } from "bun:sqlite";
import { notFound } from "#core/errors/errors.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { workspaces } from "#storage/sqlite/schema/schema.ts";

/** The row number of a workspace id. Workspaces are never deleted, so the number is cached. */
export type WorkspaceSeq = (workspaceId: string) => number;

/** @throws AppError NOT_FOUND from the returned function, for an unknown workspace */
export function workspaceSeq(sqlite: Database): WorkspaceSeq {
  const known = new Map<string, number>();
  const find = sqlite.query<Row<typeof workspaces, "seq">, [string]>(
    "SELECT seq FROM workspaces WHERE id = ?",
  );
  return (workspaceId) => {
    const remembered = known.get(workspaceId);
    if (remembered !== undefined) return remembered;
    const row = find.get(workspaceId);
    if (!row) throw notFound(`Workspace ${workspaceId}`);
    known.set(workspaceId, row.seq);
    return row.seq;
  };
}
