/** Work that is due, and the workspace it belongs to. */
type Due = { readonly workspaceId: string; readonly dueAt: number };

/**
 * Rounds of work, one after the other. Each call takes what is due now, and returns what gives the next work
 * to do, or null when the round is over. A round may be cut short: who was not served is first in the next.
 */
export function fairRounds<T extends Due>(): (due: readonly T[]) => () => T | null {
  /** When each workspace was served last. The unit is pieces of work. */
  const servedAt = new Map<string, number>();
  let served = 0;
  return (due) => {
    const workspaceIds = new Set(due.map(({ workspaceId }) => workspaceId));
    for (const known of servedAt.keys()) if (!workspaceIds.has(known)) servedAt.delete(known);
    const next = fairRound(due, servedAt);
    return () => {
      const one = next();
      if (one !== null) servedAt.set(one.workspaceId, ++served);
      return one;
    };
  };
}

/**
 * One round: workspaces take turns, and in each workspace the work that has been due longest comes first.
 * Every piece comes once. The first workspaces are those that were not served for the longest time
 * (`servedAt`), then those whose oldest work is oldest.
 */
function fairRound<T extends Due>(due: readonly T[], servedAt: ReadonlyMap<string, number>): () => T | null {
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
