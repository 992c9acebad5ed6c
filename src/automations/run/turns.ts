/** What has something to do, and whose it is. */
type Due = { readonly workspaceId: string; readonly dueAt: number };

/**
 * Whose turn it is: workspaces one after the other, and within each what has been due longest. Every one comes once. Of the workspaces
 * those that have waited longest since they were served come first (`servedAt` names the rest), then those whose oldest is oldest: a
 * round that is broken off keeps nobody back. Null when all had their turn.
 */
export function fairRound<T extends Due>(
  due: readonly T[],
  servedAt: ReadonlyMap<string, number> = new Map(),
): () => T | null {
  const byWorkspace = Map.groupBy(
    due.toSorted((a, b) => a.dueAt - b.dueAt),
    ({ workspaceId }) => workspaceId,
  );
  const served = (workspaceId: string): number => servedAt.get(workspaceId) ?? 0;
  const queues = [...byWorkspace].toSorted(([a], [b]) => served(a) - served(b));
  const turns = queues.flatMap(([, queue]) => queue.map((one, index) => ({ one, index })));
  const inTurn = turns.toSorted((a, b) => a.index - b.index).map(({ one }) => one);
  let next = 0;
  return () => inTurn[next++] ?? null;
}
