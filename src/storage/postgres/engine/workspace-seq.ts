import type { SQL } from "bun";
import { notFound } from "#core/errors.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { workspaces } from "#storage/postgres/schema/schema.ts";
import { storageErrorOf } from "./failures.ts";
import { sessionOver } from "./session.ts";

/** The row number of a workspace id. Workspaces are never deleted, so the number is cached. */
export type WorkspaceSeq = (workspaceId: string) => Promise<number>;

/** @throws AppError NOT_FOUND from the returned function, for an unknown workspace */
export function workspaceSeq(client: SQL): WorkspaceSeq {
  const known = new Map<string, number>();
  const pool = sessionOver(client);
  return async (workspaceId) => {
    const remembered = known.get(workspaceId);
    if (remembered !== undefined) return remembered;
    const find = pool.row<Row<typeof workspaces, "seq">>("SELECT seq FROM workspaces WHERE id = $1", [
      workspaceId,
    ]);
    const found = await find.catch((error: unknown) => {
      throw storageErrorOf(error) ?? error;
    });
    if (found === null) throw notFound(`Workspace ${workspaceId}`);
    known.set(workspaceId, found.seq);
    return found.seq;
  };
}
