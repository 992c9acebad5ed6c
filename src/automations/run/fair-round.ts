/** Work that is due, and the workspace it belongs to. */
type Due = { readonly workspaceId: string; readonly dueAt: number };

/**
 * The next work to do: workspaces take turns, and within each the work that has been due longest comes first.
 * Every piece comes once. First come the workspaces that were not served for the longest time (`servedAt` has
 * the last time of each), then those whose oldest work is oldest. So a round that is cut short puts nobody
 * last again. Null when everything was done.
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
