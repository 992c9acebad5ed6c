import { present } from "#core/present.ts";
import { mailboxOf, type RecentConfirmations } from "#forms/signup/confirmation.ts";
import type { Signup } from "#forms/store.ts";
import { confirmationLetter } from "#storage/common/ledger/single-letter.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { mailingOf, queueMessage } from "#storage/postgres/ledger/single-messages.ts";

const RECENT = `SELECT count(*) FILTER (WHERE address = $3 AND form_id = $1) AS of_form,
    count(*) FILTER (WHERE address = $3) AS of_workspace, count(*) AS of_mailbox
  FROM confirmations WHERE workspace = $2 AND created_at > $4 AND created_at <= $5 AND (
    address = $6 OR (address >= $7 AND address < $8 AND right(address, length($9)) = $9))`;
const ADD_CONFIRMATION = `INSERT INTO confirmations (delivery, workspace, form_id, address, created_at, returns)
  VALUES ($1, $2, $3, $4, $5, $6)`;

const LOCK_MAILBOX =
  "SELECT pg_advisory_xact_lock(hashtextextended('confirmations of ' || $2::text, $1::int8))";

/**
 * The addresses of a mailbox that differ by what is behind a plus sign up one after the other, so that all count. Call it
 * before anything of the person is locked.
 */
export async function holdMailbox({ run }: Session, workspace: number, email: string): Promise<void> {
  const { plain } = mailboxOf(email);
  if (plain !== email) await run(LOCK_MAILBOX, [workspace, plain]);
}

/** The recent confirmations to the address, and to its mailbox. */
export async function recentConfirmations(
  { row }: Session,
  workspace: number,
  { formId, email, cap }: Signup,
): Promise<RecentConfirmations> {
  const { plain, from, until, domain } = mailboxOf(email);
  const values = [formId, workspace, email, cap.since, cap.until, plain, from, until, domain];
  const counted = await row<RecentConfirmations>(RECENT, values);
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
  letter: NonNullable<Signup["letter"]>,
): Promise<void> {
  const { seq: mailing } = await mailingOf(tx, confirmationLetter(workspace, letter, at));
  const message = await queueMessage(tx, { mailing, contact, address: email, at, node: null });
  await tx.run(ADD_CONFIRMATION, [message, workspace, formId, email, at, returns]);
}
