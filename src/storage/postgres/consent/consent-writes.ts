import { decideOnHardBounce, type ConsentDecision } from "#contacts/consent/consent.ts";
import { BY_BOUNCE, type ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { leaveLists } from "#storage/postgres/lists/list-departures.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { contacts } from "#storage/postgres/schema/schema.ts";
import { contactActivity } from "#storage/postgres/stats/contact-activity.ts";
import { contactOutbox } from "#storage/postgres/webhooks/contact-outbox.ts";
import { logConsents } from "./consent-entries.ts";
import { suppressAll } from "./suppression-writes.ts";

/** The columns of a contact's row that a consent decision needs. The row is locked. */
export type StandingRow = Row<typeof contacts, "seq" | "id" | "email" | "status">;

const VOID = `UPDATE confirmations AS c SET voided_at = v.at FROM unnest($2::text[], $3::int8[]) AS v (address, at)
  WHERE c.workspace = $1 AND c.address = v.address AND c.voided_at IS NULL`;

/** Confirmation links sent to the addresses stop working. If an address comes twice, its first time counts. */
export async function voidLinks(
  tx: Session,
  workspace: number,
  links: readonly { readonly address: string; readonly at: number }[],
): Promise<void> {
  if (links.length === 0) return;
  const first = new Map(links.toReversed().map(({ address, at }) => [address, at]));
  await tx.run(VOID, [workspace, [...first.keys()], [...first.values()]]);
}

/** What is known about the person who was mailed at `address`: see storage/sqlite/consent/consent-writes.ts. */
type Mailed = {
  readonly contact: StandingRow | null;
  readonly contactId: string;
  readonly address: string;
};

/**
 * Carries out a decision about the person who was mailed at `address`, on an open transaction that has locked the
 * contact. If the contact has another address now, both are suppressed. If the contact was deleted, only the
 * address is, and `contactId` is the contact's former id.
 */
export async function carryOut(
  tx: Session,
  workspace: number,
  { contact, contactId, address }: Mailed,
  decision: ConsentDecision,
  origin: ConsentOrigin & { readonly at: number },
): Promise<void> {
  const { at, source } = origin;
  const addresses = [...new Set([address, contact?.email ?? address])];
  const { suppress: reason } = decision;
  if (reason !== null)
    await suppressAll(
      tx,
      workspace,
      addresses.map((each) => ({ address: each, reason, source, at })),
    );
  if (decision.voidsLinks)
    await voidLinks(
      tx,
      workspace,
      addresses.map((each) => ({ address: each, at })),
    );
  if (contact !== null) await changeStanding(tx, workspace, contact, decision, at);
  if (decision.consentEntry === null) return;
  const person = { id: contact?.id ?? contactId, email: address };
  await logConsents(tx, workspace, [{ person, entry: { ...origin, action: decision.consentEntry } }]);
}

async function changeStanding(
  tx: Session,
  workspace: number,
  { seq, status: before }: StandingRow,
  { status: after, leaveLists: leaves }: ConsentDecision,
  at: number,
): Promise<void> {
  if (leaves) await leaveLists(tx, [{ contact: seq, at }]);
  if (before === after) return;
  await tx.run("UPDATE contacts SET status = $1 WHERE seq = $2", [after, seq]);
  const outbox = contactOutbox(tx, workspace);
  await outbox.rewritten(seq, { before, after, at });
  await outbox.book();
  const activity = contactActivity(tx, workspace);
  activity.changed(before, after, at);
  await activity.book();
}

/**
 * By address, as `bounceHard` finds them, and by number, as a message names them. The address is a range that is
 * sorted, because only one index has that order: the plan is kept, and one made for few rows would walk through all
 * contacts when there are many.
 */
export const HOLD_MAILED = `SELECT FROM contacts WHERE seq = ANY(ARRAY(
    SELECT (SELECT c.seq FROM contacts AS c
      WHERE c.workspace = (SELECT m.workspace FROM mailings AS m WHERE m.seq = d.mailing)
        AND c.email >= d.address AND c.email <= d.address ORDER BY c.email LIMIT 1)
    FROM deliveries AS d WHERE d.seq = ANY($1::int8[])
    UNION ALL SELECT d.contact FROM deliveries AS d WHERE d.seq = ANY($1::int8[])))
  ORDER BY seq FOR NO KEY UPDATE`;

/**
 * Locks the contacts whom these messages are for, in the order of their numbers. Call it before the messages are
 * locked: whoever changes or deletes a contact locks it before its messages, so there are no deadlocks.
 */
export async function holdMailed(tx: Session, messages: readonly number[]): Promise<void> {
  if (messages.length > 0) await tx.run(HOLD_MAILED, [[...new Set(messages)]]);
}

/**
 * On an open transaction: a relay refused the address permanently. The address is suppressed. The contact that has
 * it becomes BOUNCED and leaves every list. A contact that has another address by now stays unchanged.
 */
export async function bounceHard(
  tx: Session,
  { workspace, address, now }: { readonly workspace: number; readonly address: string; readonly now: number },
): Promise<void> {
  const contact = await tx.row<StandingRow>(
    "SELECT seq, id, email, status FROM contacts WHERE workspace = $1 AND email = $2 FOR NO KEY UPDATE",
    [workspace, address],
  );
  const mailed = { contact, contactId: contact?.id ?? "", address };
  const decision = decideOnHardBounce(contact?.status ?? null);
  await carryOut(tx, workspace, mailed, decision, { ...BY_BOUNCE, at: now });
}
