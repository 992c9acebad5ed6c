/** Work that is due, and the workspace it belongs to. */
type Due = { readonly workspaceId: string; readonly dueAt: number };

/**
 * Rounds of work. Each call takes the work that is due now, and returns a function that gives the next piece, or
 * null when the round is over. A round may be cut short: workspaces that were not served are first in the next.
 */
export function fairRounds<T extends Due>(): (due: readonly T[]) => () => T | null {
  /** When each workspace was last served, counted in pieces of work. */
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
 * One round: workspaces take turns, and in each workspace the work that has been due longest comes first. Every
 * piece comes once. Workspaces that were not served for the longest time (`servedAt`) come first, then those whose
 * oldest work is oldest.
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
