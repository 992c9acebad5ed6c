import { skip } from "#deliveries/moves/move.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { lockMessages } from "./ledger-rows.ts";
import { newTally } from "./tally.ts";

/** Planning changes the row of its mailing: this waits for what is planned now, and later planning sees who left. */
const WAIT_FOR_PLANS = `SELECT FROM mailings WHERE phase = 'planning' AND kind = 'campaign' AND list = $1
  ORDER BY seq FOR SHARE`;
const QUEUED = `d.contact = $1 AND d.state = 'queued' AND m.kind = 'campaign' AND m.list = $2
  AND m.phase IN ('planning', 'sending')`;

/**
 * On an open transaction: a person has left a list. What campaigns to that list still owe them is skipped as
 * `OPTED_OUT`. That holds for campaigns to a segment of that list too: the person would get them as its
 * member. A message at its dot goes out. Returns the mailings that owe less than before (`finishEmptied`).
 */
export async function skipQueuedForList(
  tx: Session,
  contact: number,
  list: number,
  at: number,
): Promise<readonly number[]> {
  await tx.run(WAIT_FOR_PLANS, [list]);
  const tally = newTally(tx);
  for (const row of await lockMessages(tx, QUEUED, [contact, list]))
    tally.move(row, skip("OPTED_OUT"), { now: at });
  return await tally.book();
}
