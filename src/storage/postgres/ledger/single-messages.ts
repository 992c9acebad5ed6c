import { newAccount } from "#deliveries/moves/account.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { deliveries } from "#storage/postgres/schema/schema.ts";
import { countIn } from "./tally.ts";

/** A message that no plan writes: a confirmation, a mail of an automation, a recipient of a request. */
type SingleMessage = {
  readonly mailing: number;
  readonly contact: number | null;
  readonly address: string;
  readonly at: number;
  /** The only node that may send it; null: any. */
  readonly node: number | null;
};

/** An address may get several messages of a mailing. */
const ADD = `INSERT INTO deliveries (mailing, contact, address, visit, state)
  SELECT $1, $2, $3, coalesce((SELECT max(visit) + 1 FROM deliveries WHERE mailing = $1 AND address = $3), 0), 'queued'
  ON CONFLICT DO NOTHING RETURNING seq`;
const OWE = "INSERT INTO retries (message, mailing, at, node) VALUES ($1, $2, $3, $4)";

/**
 * Queues one message, in an open transaction, and returns its number. It lies in no slice: nodes find it among the
 * deferred ones, and it is due at once.
 */
export async function queueMessage(
  tx: Session,
  { mailing, contact, address, at, node }: SingleMessage,
): Promise<number> {
  // Who queues one for the same address at the same time has taken the number: the next one is free.
  for (;;) {
    const added = await tx.row<Row<typeof deliveries, "seq">>(ADD, [mailing, contact, address]);
    if (added === null) continue;
    await tx.run(OWE, [added.seq, mailing, at, node]);
    await countIn(tx, mailing, { ...newAccount(), queued: 1 }, 1);
    return added.seq;
  }
}
