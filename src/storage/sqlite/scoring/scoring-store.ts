import { and, count, desc, eq, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { ScoringStore } from "#scoring/store.ts";
import { contactSeq } from "#storage/sqlite/contacts/contact-seq.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { afterLongReads } from "#storage/sqlite/events/event-sums.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { scoringRules } from "#storage/sqlite/schema/tables/scoring.ts";
import { scoreReader } from "./score.ts";

const SHOWN = {
  id: scoringRules.id,
  event: scoringRules.event,
  minValueCents: scoringRules.minValueCents,
  points: scoringRules.points,
  createdAt: scoringRules.createdAt,
};

export function scoringStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ScoringStore {
  const { sqlite, orm, writes } = database;
  const seqOfContact = contactSeq(sqlite);
  const scoreOf = scoreReader(database);
  const ofWorkspace = (workspace: number) => eq(scoringRules.workspace, workspace);
  const countOf = (workspace: number): number => {
    const counted = orm.select({ n: count() }).from(scoringRules).where(ofWorkspace(workspace)).get();
    return present(counted, "count").n;
  };

  return {
    list: async (workspaceId) =>
      orm
        .select(SHOWN)
        .from(scoringRules)
        .where(ofWorkspace(seqOf(workspaceId)))
        .orderBy(scoringRules.seq)
        .all(),

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const mine = ofWorkspace(workspace);
      const rows = orm
        .select({ seq: scoringRules.seq, rule: SHOWN })
        .from(scoringRules)
        .where(before === null ? mine : and(mine, lt(scoringRules.seq, before)))
        .orderBy(desc(scoringRules.seq))
        .limit(limit + 1)
        .all();
      return pageOf(rows, countOf(workspace), limit, {
        position: ({ seq }) => seq,
        item: ({ rule }) => rule,
      });
    },

    add: (workspaceId, rule, rulesMax) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        if (countOf(workspace) >= rulesMax) return null;
        orm
          .insert(scoringRules)
          .values({ ...rule, workspace })
          .run();
        return rule;
      }),

    remove: (workspaceId, id) =>
      writes.write(() => {
        const mine = and(ofWorkspace(seqOf(workspaceId)), eq(scoringRules.id, id));
        return orm.delete(scoringRules).where(mine).returning({ id: scoringRules.id }).all().length > 0;
      }),

    score: async (workspaceId, contactId) => {
      const workspace = seqOf(workspaceId);
      const contact = seqOfContact(workspace, contactId);
      return contact === null ? null : await afterLongReads(() => scoreOf(workspace, contact));
    },
  };
}
