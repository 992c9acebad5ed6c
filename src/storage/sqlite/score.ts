import type { Database } from "bun:sqlite";

/**
 * A contact's score, summed up under the rules of this moment: an event is counted once because it is there once, and a changed rule
 * counts at once. Costs a walk through the index of the contact's events for each rule of the workspace.
 */
export function scoreReader(sqlite: Database) {
  const sum = sqlite.query<{ score: number }, [number, number]>(
    `SELECT coalesce(sum(r.points), 0) AS score FROM scoring_rules AS r
     CROSS JOIN events AS e ON e.contact = ?2 AND e.name = r.event AND (r.min_value_cents IS NULL OR e.value_cents >= r.min_value_cents)
     WHERE r.workspace = ?1`,
  );
  // Most workspaces have no rules, and to see that costs a twentieth.
  const anyRule = sqlite.query<object, [number]>("SELECT 1 FROM scoring_rules WHERE workspace = ? LIMIT 1");
  return (workspace: number, contact: number): number =>
    anyRule.get(workspace) === null ? 0 : sum.get(workspace, contact)!.score;
}
