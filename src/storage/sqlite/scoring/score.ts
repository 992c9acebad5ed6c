import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { RECENT_EVENTS } from "#storage/sqlite/events/recent-events.ts";
import { present } from "#core/present.ts";

/**
 * A contact's score by the current rules, so a changed rule counts at once. Each event counts once, because it is
 * stored once. Reads the contact's events once for each rule of the workspace.
 */
export function scoreReader({ sqlite, recentEvents }: Pick<SqliteDatabase, "sqlite" | "recentEvents">) {
  const sum = sqlite.query<
    { score: number },
    { workspace: number; contact: number; recent: string; through: number }
  >(
    `SELECT coalesce(sum(r.points), 0) AS score FROM scoring_rules AS r CROSS JOIN (
       SELECT i.name, i.value_cents FROM contact_events AS i WHERE i.contact = $contact AND i.seq <= $through
       UNION ALL
       SELECT e.name, e.value_cents FROM ${RECENT_EVENTS}
       WHERE e.contact = $contact AND e.seq > $through
     ) AS own ON own.name = r.event AND (r.min_value_cents IS NULL OR own.value_cents >= r.min_value_cents)
     WHERE r.workspace = $workspace`,
  );
  // Most workspaces have no rules, and checking that costs a twentieth.
  const anyRule = sqlite.query<object, [number]>("SELECT 1 FROM scoring_rules WHERE workspace = ? LIMIT 1");
  return (workspace: number, contact: number): number => {
    if (anyRule.get(workspace) === null) return 0;
    const recent = recentEvents.of(contact);
    return present(sum.get({ workspace, contact, recent, through: recentEvents.through }), "score").score;
  };
}
