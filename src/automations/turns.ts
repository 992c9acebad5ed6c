/** What has something to do, and whose it is. */
type Due = { readonly workspaceId: string; readonly dueAt: number };

/**
 * Whose turn it is: workspaces one after the other, and within each what has been due longest. Every one comes once, the workspaces whose
 * oldest is oldest first. Null when all had their turn.
 */
export function fairRound<T extends Due>(due: readonly T[]): () => T | null {
  const byWorkspace = Map.groupBy(
    due.toSorted((a, b) => a.dueAt - b.dueAt),
    ({ workspaceId }) => workspaceId,
  );
  const queues = [...byWorkspace.values()];
  const turns = queues.flatMap((queue) => queue.map((one, index) => ({ one, index })));
  const inTurn = turns.toSorted((a, b) => a.index - b.index).map(({ one }) => one);
  return () => inTurn.shift() ?? null;
}
