import { and, eq } from "drizzle-orm";
import type { ScoringStore, StoredRule } from "#scoring/store.ts";
import { contactSeq } from "#storage/sqlite/contacts/contact-seq.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { scoringRules } from "#storage/sqlite/schema/schema.ts";
import { scoreReader } from "./score.ts";

const SHOWN = {
  id: scoringRules.id,
  event: scoringRules.event,
  minValueCents: scoringRules.minValueCents,
  points: scoringRules.points,
};

export function scoringStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ScoringStore {
  const { sqlite, orm, writes } = database;
  const seqOfContact = contactSeq(sqlite);
  const scoreOf = scoreReader(database);
  const rulesOf = (workspace: number): StoredRule[] =>
    orm
      .select(SHOWN)
      .from(scoringRules)
      .where(eq(scoringRules.workspace, workspace))
      .orderBy(scoringRules.seq)
      .all();

  return {
    list: async (workspaceId) => rulesOf(seqOf(workspaceId)),

    add: (workspaceId, rule, at, rulesMax) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        if (rulesOf(workspace).length >= rulesMax) return null;
        orm
          .insert(scoringRules)
          .values({ ...rule, workspace, createdAt: at })
          .run();
        return rule;
      }),

    remove: (workspaceId, id) =>
      writes.write(() => {
        const mine = and(eq(scoringRules.workspace, seqOf(workspaceId)), eq(scoringRules.id, id));
        return orm.delete(scoringRules).where(mine).returning({ id: scoringRules.id }).all().length > 0;
      }),

    score: async (workspaceId, contactId) => {
      const workspace = seqOf(workspaceId);
      const contact = seqOfContact(workspace, contactId);
      return contact === null ? null : scoreOf(workspace, contact);
    },
  };
}
