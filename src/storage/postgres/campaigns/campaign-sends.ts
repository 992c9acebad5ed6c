/**
 * What happens to a campaign's send together with its campaign. To change both, lock the mailing before the
 * campaign, in the same order as the end of a send.
 */
import { HELD } from "#storage/common/campaigns/held.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { countsOf } from "#storage/postgres/ledger/ledger-counts.ts";
import { giveBackUsage } from "#storage/postgres/ledger/sending-usage.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailings } from "#storage/postgres/schema/schema.ts";

export type CampaignMailing = Row<typeof mailings, "seq" | "phase" | "held">;

const LOCK = `SELECT m.seq, m.phase, m.held FROM mailings AS m JOIN campaigns AS c ON c.id = m.source_id
  WHERE m.kind = 'campaign' AND m.source_id = $2 AND c.workspace = $1 FOR NO KEY UPDATE OF m`;
const STOP = "UPDATE mailings SET phase = 'stopped' WHERE seq = $1";
const RELEASE_PLAN = `INSERT INTO plans (mailing) VALUES ($1) ON CONFLICT (mailing) DO UPDATE SET node = NULL`;
const RELEASE_MAILING = `UPDATE mailings SET held = held & ~${HELD.copy} WHERE seq = $1`;
const RELEASE_CAMPAIGN = `UPDATE campaigns SET held = false, blocked = NULL, next_try_at =
    CASE WHEN status = 'SCHEDULED' AND mailing IS NULL THEN greatest($2, scheduled_at) ELSE next_try_at END
  WHERE seq = $1`;

/** The mailing of a campaign, even if it is only planned, locked until the transaction ends. */
export const lockMailing = (tx: Session, workspace: number, id: string): Promise<CampaignMailing | null> =>
  tx.row<CampaignMailing>(LOCK, [workspace, id]);

/**
 * From now on no message of the locked mailing is claimed. For messages at their dot, the outcome still counts.
 * Returns the reservations for those still owed. A send that is still being planned has reserved nothing.
 */
export async function stopSending(tx: Session, { seq, phase }: CampaignMailing): Promise<void> {
  if (phase !== "sending") return;
  const { queued } = await countsOf(tx, seq);
  await tx.run(STOP, [seq]);
  await giveBackUsage(tx, new Map([[seq, queued]]));
}

/** Ends the hold on a campaign and on its mailing. A plan that was held waits until a node finds it. */
export async function releaseHold(
  tx: Session,
  campaign: number,
  mailing: CampaignMailing | null,
  now: number,
): Promise<void> {
  if (mailing !== null) {
    const isPlanHeld = mailing.phase === "planning" && (mailing.held & HELD.copy) !== 0;
    if (isPlanHeld) await tx.run(RELEASE_PLAN, [mailing.seq]);
    await tx.run(RELEASE_MAILING, [mailing.seq]);
  }
  await tx.run(RELEASE_CAMPAIGN, [campaign, now]);
}
