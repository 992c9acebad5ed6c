import type { Plan, PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { LongTurns } from "#storage/postgres/engine/long-turns.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { planSettling } from "./plan-audience.ts";
import { planBegin } from "./plan-begin.ts";
import { planEnd } from "./plan-end.ts";
import { planRecovery } from "./plan-recovery.ts";
import { planSchedule } from "./plan-schedule.ts";
import { planWalk, STRETCH_CONTACTS } from "./plan-walk.ts";

const QUEUED = `SELECT coalesce(sum(t.queued), 0)::int8 AS n FROM mailings AS m JOIN tallies AS t ON t.mailing = m.seq
  WHERE m.kind = 'campaign' AND m.source_id = $1 AND m.phase = 'planning'`;

/**
 * Each plan is made by one node, which is recorded in `plans`. The plans of a dead node are free, and the next node
 * that looks for plans continues them. A plan that was given up stays given up, because its row says so.
 */
export function planStore(
  database: PostgresDatabase,
  own: OwnNode,
  turns: LongTurns,
  stretchContacts = STRETCH_CONTACTS,
): PlanStore {
  const ownPlans = new Map<string, "begun" | "failed">();
  const recovery = planRecovery(database, own, ownPlans);
  const { complete, abandon } = planEnd(database, own);
  const settle = planSettling(database, turns.questions);
  const planNext = planWalk(database, own, { turns: turns.stretches, stretchContacts });
  /** If the database did not answer about a plan, it is no longer being made: it waits to be continued. */
  const answered = async <T>({ campaignId }: Plan, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isUnreachable(error)) ownPlans.delete(campaignId);
      throw error;
    }
  };
  return {
    ...planSchedule(database, own),
    ...recovery,
    begin: planBegin(database, own, (campaignId, ended) => void ownPlans.set(campaignId, ended)),
    settle: (plan, now) => answered(plan, settle(plan, now)),
    planNext: (plan, contactsMax) => answered(plan, planNext(plan, contactsMax)),
    abandon,
    async complete(plan, completion) {
      const ended = await answered(plan, complete(plan, completion));
      if (ended === "complete" || ended === "stopped") ownPlans.delete(plan.campaignId);
      return ended;
    },
    async giveUp(plan) {
      await recovery.giveUp(plan);
      ownPlans.delete(plan.campaignId);
    },
    async plannedSoFar(campaignId) {
      const counted = await database.read(({ row }) => row<{ n: number }>(QUEUED, [campaignId]));
      return present(counted, "count of a plan").n;
    },
  };
}
