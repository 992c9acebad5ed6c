import { present } from "#core/present.ts";
import type { RecentConfirmations } from "#forms/signup/confirmation.ts";
import type { Signup } from "#forms/store.ts";
import { LostRace } from "#storage/postgres/engine/failures.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { queueMessage } from "#storage/postgres/ledger/single-messages.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailings } from "#storage/postgres/schema/schema.ts";

type Letter = NonNullable<Signup["letter"]>;

const RECENT = `SELECT count(*) FILTER (WHERE form_id = $1) AS of_form, count(*) AS of_workspace
  FROM confirmations WHERE workspace = $2 AND address = $3 AND created_at > $4`;
/**
 * `:` is followed by `;` in ASCII. So the range has the source itself and the mailings that were made in addition
 * to a held one.
 */
const FIND_MAILING = `SELECT seq FROM mailings WHERE kind = 'confirmation' AND source_id >= $1 AND source_id < $2
  AND held = 0 AND phase = 'sending' ORDER BY seq LIMIT 1`;
const ADD_MAILING = `INSERT INTO mailings (workspace, kind, source_id, phase, created_at, started_at)
  VALUES ($1, 'confirmation', $2, 'sending', $3, $3) ON CONFLICT DO NOTHING RETURNING seq`;
const ADD_CONTENT = "INSERT INTO mailing_contents (mailing, content) VALUES ($1, $2)";
const ADD_CONFIRMATION = `INSERT INTO confirmations (delivery, workspace, form_id, address, created_at, returns)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/** The recent confirmations to the address. */
export async function recentConfirmations(
  { row }: Session,
  workspace: number,
  { formId, email, capSince }: Signup,
): Promise<RecentConfirmations> {
  const counted = await row<RecentConfirmations>(RECENT, [formId, workspace, email, capSince]);
  return present(counted, "count of confirmations");
}

/**
 * Queues a confirmation for a person who signed up, on an open transaction. `contact` is null if there is no
 * contact yet; `returns`: the person is coming back.
 */
export async function queueConfirmation(
  tx: Session,
  { workspace, contact, returns }: { workspace: number; contact: number | null; returns: boolean },
  { formId, email, at }: Signup,
  letter: Letter,
): Promise<void> {
  const mailing = await mailingOf(tx, workspace, letter, at);
  const message = await queueMessage(tx, { mailing, contact, address: email, at, node: null });
  await tx.run(ADD_CONFIRMATION, [message, workspace, formId, email, at, returns]);
}

/**
 * A mailing that has been held since a backup was restored keeps only what was queued then. Later sign-ups get a
 * mailing of their own.
 */
async function mailingOf(
  tx: Session,
  workspace: number,
  { sourceId, content }: Letter,
  at: number,
): Promise<number> {
  type Found = Row<typeof mailings, "seq">;
  for (const source of [sourceId, `${sourceId}:${at}`]) {
    const known = await tx.row<Found>(FIND_MAILING, [sourceId, `${sourceId};`]);
    if (known !== null) return known.seq;
    // Waits for another transaction that is creating the same: then it is found, or it is held.
    const made = await tx.row<Found>(ADD_MAILING, [workspace, source, at]);
    if (made === null) continue;
    await tx.run(ADD_CONTENT, [made.seq, JSON.stringify(content)]);
    return made.seq;
  }
  throw new LostRace("somebody else has made the mailing meanwhile");
}
