/** Takes the oldest question of a workspace other than the last one served, otherwise the oldest of all; null: none. */
export function takeNext<Waiting>(
  waiting: Waiting[],
  workspaceOf: (each: Waiting) => number,
  served: number | null,
): Waiting | null {
  const other = waiting.findIndex((each) => workspaceOf(each) !== served);
  return waiting.splice(Math.max(other, 0), 1)[0] ?? null;
}
