import type { Session } from "#storage/postgres/engine/session.ts";

/** Which of the lists the workspace has, by id, with their row numbers; they are locked until the transaction ends. */
export async function holdLists(
  { rows }: Session,
  workspace: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const found = await rows<{ seq: number; id: string }>(
    "SELECT seq, id FROM lists WHERE workspace = $1 AND id = ANY($2::text[]) ORDER BY seq FOR KEY SHARE",
    [workspace, ids],
  );
  return new Map(found.map(({ seq, id }) => [id, seq]));
}
