import { and, asc, desc, eq, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import type { ScoringStore } from "#scoring/store.ts";
import { contactSeq } from "#storage/postgres/contacts/contact-seq.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { scoringRules } from "#storage/postgres/schema/schema.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";

const SHOWN = {
  id: scoringRules.id,
  event: scoringRules.event,
  minValueCents: scoringRules.minValueCents,
  points: scoringRules.points,
  createdAt: scoringRules.createdAt,
};

/** Each event counts once for each rule that it matches. */
const SCORES = `SELECT e.contact, sum(r.points)::int8 AS score FROM scoring_rules AS r
  JOIN events AS e ON e.workspace = r.workspace AND e.name = r.event
    AND (r.min_value_cents IS NULL OR e.value_cents >= r.min_value_cents)
  WHERE r.workspace = $1 AND e.contact = ANY($2::int8[]) GROUP BY e.contact`;

/**
 * Contacts' scores by the current rules, so a changed rule counts at once. Contacts without a matching event are
 * missing: their score is 0.
 */
export async function scoresOf(
  { rows }: Session,
  workspace: number,
  contacts: readonly number[],
): Promise<Map<number, number>> {
  const scores = await rows<{ contact: number; score: number }>(SCORES, [workspace, contacts]);
  return new Map(scores.map(({ contact, score }) => [contact, score]));
}

async function scoreOf(session: Session, workspace: number, contact: number): Promise<number> {
  return (await scoresOf(session, workspace, [contact])).get(contact) ?? 0;
}

export function scoringStore({ read, write, seqOf }: PostgresDatabase): ScoringStore {
  const ofWorkspace = async (workspaceId: string) => eq(scoringRules.workspace, await seqOf(workspaceId));

  return {
    async list(workspaceId) {
      const mine = await ofWorkspace(workspaceId);
      return await read(({ orm }) =>
        orm.select(SHOWN).from(scoringRules).where(mine).orderBy(asc(scoringRules.seq)),
      );
    },

    async page(workspaceId, { limit, before }) {
      const mine = await ofWorkspace(workspaceId);
      const [rows, total] = await read(({ orm }) =>
        Promise.all([
          orm
            .select({ seq: scoringRules.seq, rule: SHOWN })
            .from(scoringRules)
            .where(before === null ? mine : and(mine, lt(scoringRules.seq, before)))
            .orderBy(desc(scoringRules.seq))
            .limit(limit + 1),
          orm.$count(scoringRules, mine),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ rule }) => rule });
    },

    async add(workspaceId, rule, rulesMax) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        // The rule depends on how many there are, so no two are added at the same time.
        await lockWorkspace(tx, workspace);
        const count = await tx.orm.$count(scoringRules, eq(scoringRules.workspace, workspace));
        if (count >= rulesMax) return null;
        await tx.orm.insert(scoringRules).values({ ...rule, workspace });
        return rule;
      });
    },

    async remove(workspaceId, id) {
      const itself = and(await ofWorkspace(workspaceId), eq(scoringRules.id, id));
      const removed = await write(({ orm }) =>
        orm.delete(scoringRules).where(itself).returning({ id: scoringRules.id }),
      );
      return removed.length > 0;
    },

    async score(workspaceId, contactId) {
      const workspace = await seqOf(workspaceId);
      return await read(async (session) => {
        const contact = await contactSeq(session, workspace, contactId);
        return contact === null ? null : await scoreOf(session, workspace, contact);
      });
    },
  };
}
