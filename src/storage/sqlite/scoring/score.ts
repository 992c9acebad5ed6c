import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { EVENTS_OF_PIECE, type EventPiece } from "#storage/sqlite/events/event-sums.ts";
import { present } from "#core/present.ts";

/**
 * A contact's score by the current rules, so a changed rule counts at once. Each event counts once, because it is
 * stored once. What is returned may throw `LongRead` (events/event-sums.ts).
 */
export function scoreReader({ sqlite, eventSums }: Pick<SqliteDatabase, "sqlite" | "eventSums">) {
  // Rules that were added since the sum was begun belong to another sum.
  const sum = sqlite.query<
    { score: number },
    EventPiece & { readonly workspace: number; readonly newest: number | null }
  >(
    `SELECT coalesce(sum(r.points), 0) AS score FROM scoring_rules AS r CROSS JOIN ${EVENTS_OF_PIECE} AS own
       ON own.name = r.event AND (r.min_value_cents IS NULL OR own.value_cents >= r.min_value_cents)
     WHERE r.workspace = $workspace AND r.seq <= $newest`,
  );
  // Rules are only added and removed, and no number is used twice: other rules have another count or newest number.
  const rules = sqlite.query<{ n: number; newest: number | null }, [number]>(
    "SELECT count(*) AS n, max(seq) AS newest FROM scoring_rules WHERE workspace = ?",
  );
  return (workspace: number, contact: number): number => {
    const { n, newest } = present(rules.get(workspace), "count of rules");
    if (n === 0) return 0;
    return eventSums.of(contact, {
      key: `score ${n} ${newest}`,
      nothing: 0,
      add: (score, piece) => score + present(sum.get({ ...piece, workspace, newest }), "score").score,
    });
  };
}
