import type { ScoringStore } from "#scoring/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { scoreReader } from "./score.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts, scoringRules } from "#storage/sqlite/schema/schema.ts";

export function scoringStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ScoringStore {
  const { sqlite, writes } = database;
  const rules = sqlite.query<Row<typeof scoringRules, "id" | "event" | "minValueCents" | "points">, [number]>(
    "SELECT id, event, min_value_cents AS minValueCents, points FROM scoring_rules WHERE workspace = ? ORDER BY seq",
  );
  const add = sqlite.query<null, (string | number | null)[]>(
    "INSERT INTO scoring_rules (id, workspace, event, min_value_cents, points, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const remove = sqlite.query<null, [number, string]>(
    "DELETE FROM scoring_rules WHERE workspace = ? AND id = ?",
  );
  const contactOf = sqlite.query<Row<typeof contacts, "seq">, [number, string]>(
    "SELECT seq FROM contacts WHERE workspace = ? AND id = ?",
  );
  const scoreOf = scoreReader(database);

  return {
    list: async (workspaceId) => rules.all(seqOf(workspaceId)),

    add: (workspaceId, rule, at, rulesMax) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        if (rules.all(workspace).length >= rulesMax) return null;
        add.run(rule.id, workspace, rule.event, rule.minValueCents, rule.points, at);
        return rule;
      }),

    remove: (workspaceId, id) => writes.write(() => remove.run(seqOf(workspaceId), id).changes > 0),

    score: async (workspaceId, contactId) => {
      const workspace = seqOf(workspaceId);
      const row = contactOf.get(workspace, contactId);
      return row && scoreOf(workspace, row.seq);
    },
  };
}
