import type { Transactions } from "#storage/postgres/engine/transaction.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailings } from "#storage/postgres/schema/schema.ts";
import { tellCampaign } from "#storage/postgres/webhooks/campaign-outbox.ts";

type Database = Pick<Transactions, "read" | "write">;

/** Confirmations and automation mail never finish: the next message may come at any time. */
const EMPTY = `SELECT m.seq FROM mailings AS m
  WHERE m.phase IN ('sending', 'stopped') AND m.kind NOT IN ('confirmation', 'automation')
    AND coalesce((SELECT sum(t.queued + t.dot) FROM tallies AS t WHERE t.mailing = m.seq), 0) = 0`;
const LOCK = "SELECT FROM mailings WHERE seq = $1 FOR NO KEY UPDATE";
/** A stopped mailing of a campaign finishes only if the campaign still exists; otherwise it was deleted. */
const FINISH = `UPDATE mailings AS m SET phase = 'finished', finished_at = $2 WHERE m.seq IN (${EMPTY} AND m.seq = $1)
  AND (phase = 'sending' OR kind = 'transactional' OR EXISTS (SELECT FROM campaigns WHERE mailing = m.seq))`;
const FINISH_CAMPAIGN =
  "UPDATE campaigns SET status = 'SENT', sent_at = $2, blocked = NULL, paused = NULL WHERE mailing = $1";

const CLOSE_SLICES = "UPDATE slices SET done = true WHERE mailing = $1 AND NOT done";

/**
 * Finishes those of the mailings that owe nothing any more. Two transactions that settle a mailing's last two
 * messages do not see each other. So this is called after the commit, when the later one sees both. If a process
 * ends in between, the next sweep does it.
 */
export async function finishEmptied(
  database: Database,
  mailings: readonly number[],
  now: number,
): Promise<void> {
  if (mailings.length === 0) return;
  const empty = await database.read((session) => emptyMailings(session, mailings));
  for (const mailing of empty) await database.write((tx) => finish(tx, mailing, now));
}

/** The same for all mailings. */
export async function finishAllEmptied(database: Database, now: number): Promise<void> {
  const empty = await database.read(({ rows }) => rows<Row<typeof mailings, "seq">>(EMPTY));
  for (const { seq } of empty) await database.write((tx) => finish(tx, seq, now));
}

async function emptyMailings({ rows }: Session, among: readonly number[]): Promise<number[]> {
  const found = await rows<Row<typeof mailings, "seq">>(`${EMPTY} AND m.seq = ANY($1::int8[])`, [among]);
  return found.map(({ seq }) => seq);
}

async function finish(tx: Session, mailing: number, now: number): Promise<void> {
  await tx.run(LOCK, [mailing]);
  if ((await tx.run(FINISH, [mailing, now])) === 0) return;
  await tx.run(CLOSE_SLICES, [mailing]);
  if ((await tx.run(FINISH_CAMPAIGN, [mailing, now])) > 0)
    await tellCampaign(tx, mailing, "campaign.finished", now);
}
