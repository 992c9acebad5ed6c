import { isOutAlready } from "#contacts/consent/consent.ts";
import type { ContactStore, OptOut } from "#contacts/store.ts";
import { LATEST_OF_ADDRESS, LATEST_OF_CONTACT } from "#storage/common/consent/latest-consent.ts";
import { keepOutNewContacts } from "#storage/postgres/contacts/contact-batch.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { consentLog } from "#storage/postgres/schema/schema.ts";
import { carryOut, type StandingRow } from "./consent-writes.ts";
import { reasonsOf } from "./suppression-writes.ts";

type Decide = Parameters<ContactStore["optOut"]>[1];
type Latest = Row<typeof consentLog, "action">;

const MAILED_OR_THERE = `SELECT seq, id, email, status FROM contacts
  WHERE workspace = $1 AND (id = $2 OR email = $3) ORDER BY seq FOR NO KEY UPDATE`;

/** `ContactStore.optOut` on an open transaction, for a store that writes more in it. True: a withdrawal was logged. */
export async function optOutWrite(
  tx: Session,
  workspace: number,
  { address, contactId, origin, at }: Omit<OptOut, "workspaceId">,
  decide: Decide,
): Promise<boolean> {
  const contacts = await mailedOrThere(tx, workspace, contactId, address);
  let withdrawn = false;
  for (const contact of contacts.length > 0 ? contacts : [null]) {
    // They count as suppressed only if both addresses are.
    const email = contact?.email ?? address;
    const reasons = await reasonsOf(tx, workspace, [email, address]);
    const suppression = reasons.has(email) ? (reasons.get(address) ?? null) : null;
    const standing = { current: contact?.status ?? null, suppression };
    const hasWithdrawn = isOutAlready(standing) && (await saysTheyLeft(tx, workspace, contact, address));
    const decision = decide({ ...standing, hasWithdrawn });
    const mailed = { contact, contactId: contactId ?? "", address };
    await carryOut(tx, workspace, mailed, decision, { ...origin, at });
    withdrawn ||= decision.consentEntry !== null;
  }
  return withdrawn;
}

/** Whether the log says it. Without a contact, whoever had the address counts. */
async function saysTheyLeft(
  tx: Session,
  workspace: number,
  contact: StandingRow | null,
  address: string,
): Promise<boolean> {
  const [latest] = await (contact === null
    ? tx.rows<Latest>(LATEST_OF_ADDRESS, [workspace, address])
    : tx.rows<Latest>(LATEST_OF_CONTACT, [contact.id]));
  return latest?.action === "WITHDRAWN";
}

/** The person who was mailed, and the one who has the address now, both locked, in this order. */
async function mailedOrThere(
  tx: Session,
  workspace: number,
  contactId: string | null,
  address: string,
): Promise<readonly StandingRow[]> {
  const find = async () =>
    (await tx.rows<StandingRow>(MAILED_OR_THERE, [workspace, contactId, address])).toSorted(
      (a, b) => Number(b.id === contactId) - Number(a.id === contactId),
    );
  const found = await find();
  if (found.some(({ email }) => email === address)) return found;
  await keepOutNewContacts(tx, workspace);
  return await find();
}
