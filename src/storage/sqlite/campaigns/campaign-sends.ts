import type { Database } from "bun:sqlite";
import { HELD } from "#storage/common/campaigns/held.ts";

/** Ends a campaign's send, or the hold on it. Runs inside a transaction of the write queue. */
export function campaignSends(sqlite: Database) {
  // A send that is still being planned has reserved nothing. Its planner finds that the campaign is gone and
  // removes the plan.
  const underWay = "kind = 'campaign' AND source_id = $id AND phase = 'sending'";
  const giveBack = sqlite.query<unknown, { id: string }>(
    `UPDATE sending_usage SET n = max(0, n - m.queued) FROM (SELECT * FROM mailings WHERE ${underWay}) m
     WHERE sending_usage.workspace = m.workspace AND period IN (m.reserved_day, m.reserved_month)`,
  );
  const stopMailing = sqlite.query<unknown, { id: string }>(
    `UPDATE mailings SET phase = 'stopped' WHERE ${underWay}`,
  );
  const heldPlan = sqlite.query<object, { id: string }>(
    `SELECT 1 FROM mailings WHERE kind = 'campaign' AND source_id = $id AND phase = 'planning' AND held & ${HELD.copy} <> 0`,
  );
  const releaseMailing = sqlite.query<unknown, { id: string }>(
    `UPDATE mailings SET held = held & ~${HELD.copy} WHERE kind = 'campaign' AND source_id = $id`,
  );
  const releaseCampaign = sqlite.query<unknown, { id: string; now: number }>(
    `UPDATE campaigns SET held = 0, blocked = NULL,
       next_try_at = iif(status = 'SCHEDULED' AND mailing IS NULL, max($now, scheduled_at), next_try_at)
     WHERE id = $id`,
  );

  return {
    /**
     * From now on no message is claimed. For messages at their dot, the outcome still counts. Returns the
     * reservations for those still owed.
     */
    stop(id: string): void {
      giveBack.run({ id });
      stopMailing.run({ id });
    },

    /** Whether its list was being planned when the copy was made. */
    isPlanHeld: (id: string): boolean => heldPlan.get({ id }) !== null,

    release(id: string, now: number): void {
      releaseMailing.run({ id });
      releaseCampaign.run({ id, now });
    },
  };
}
