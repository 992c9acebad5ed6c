/** What happens to an automation's queued mail when a person changes it. The transaction has locked it. */
import { HELD } from "#storage/common/campaigns/held.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { giveBackUsage } from "#storage/postgres/ledger/sending-usage.ts";

// In the order of their numbers. This waits for rounds that are claiming their messages.
const SENDING = `SELECT m.seq FROM mailings AS m JOIN automation_mailings AS a ON a.mailing = m.seq
  WHERE a.automation = $1 AND m.phase = 'sending' AND m.held`;
const LOCKED = "ORDER BY m.seq FOR NO KEY UPDATE OF m";
const among = (condition: string): string => `WHERE seq IN (${SENDING} ${condition} ${LOCKED})`;

const HOLD = `UPDATE mailings SET held = ${HELD.pause} ${among("= 0")}`;
const GO_ON = `UPDATE mailings SET held = 0 ${among(`= ${HELD.pause}`)}`;
const RELEASE = `UPDATE mailings SET held = $2 ${among(`= ${HELD.copy}`)}`;
const STOP = `UPDATE mailings SET phase = 'stopped' ${among("IS NOT NULL")} RETURNING seq`;
const QUEUED = `SELECT mailing, sum(queued)::int8 AS queued FROM tallies WHERE mailing = ANY($1::int8[]) GROUP BY mailing`;

/** Paused: no further message is claimed. LIVE again: what was queued is sent. */
export async function holdMail(tx: Session, automation: number, isHeld: boolean): Promise<void> {
  await tx.run(isHeld ? HOLD : GO_ON, [automation]);
}

/**
 * Releases what a restored copy had queued. It is sent now if the automation is LIVE, otherwise as soon as it is.
 * False: nothing was held.
 */
export const releaseMail = async (tx: Session, automation: number, isLive: boolean): Promise<boolean> =>
  (await tx.run(RELEASE, [automation, isLive ? 0 : HELD.pause])) > 0;

/** As for a deleted campaign: returns the reservations for messages that are still owed. */
export async function stopMail(tx: Session, automation: number): Promise<void> {
  const stopped = await tx.rows<{ seq: number }>(STOP, [automation]);
  const queued = await tx.rows<{ mailing: number; queued: number }>(QUEUED, [stopped.map(({ seq }) => seq)]);
  await giveBackUsage(tx, new Map(queued.map((row) => [row.mailing, row.queued])));
}
