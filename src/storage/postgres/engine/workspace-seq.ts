import { notFound } from "#core/errors/errors.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { workspaces } from "#storage/postgres/schema/schema.ts";
import { storageErrorOf } from "./failures.ts";
import type { Session } from "./session.ts";

/** The row number of a workspace id. Workspaces are never deleted, so the number is cached. */
export type WorkspaceSeq = (workspaceId: string) => Promise<number>;

/**
 * Callers that ask for the same workspace at the same time share one answer, and continue in the order of asking.
 * @throws AppError NOT_FOUND from the returned function, for an unknown workspace
 */
export function workspaceSeq(pool: Pick<Session, "row">): WorkspaceSeq {
  const known = new Map<string, Promise<number>>();
  const find = async (workspaceId: string): Promise<number> => {
    try {
      const found = await pool.row<Row<typeof workspaces, "seq">>(FIND, [workspaceId]);
      if (found === null) throw notFound(`Workspace ${workspaceId}`);
      return found.seq;
    } catch (error) {
      known.delete(workspaceId);
      throw storageErrorOf(error) ?? error;
    }
  };
  return (workspaceId) => {
    const remembered = known.get(workspaceId);
    if (remembered !== undefined) return remembered;
    const asked = find(workspaceId);
    known.set(workspaceId, asked);
    return asked;
  };
}

const FIND = "SELECT seq FROM workspaces WHERE id = $1";
