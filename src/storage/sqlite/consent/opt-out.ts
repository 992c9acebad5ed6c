import { isOutAlready } from "#contacts/consent/consent.ts";
import type { ContactStore, OptOut } from "#contacts/store.ts";
import { LATEST_OF_ADDRESS, LATEST_OF_CONTACT } from "#storage/common/consent/latest-consent.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { consentLog } from "#storage/sqlite/schema/schema.ts";
import { consentWrites, type StandingRow } from "./consent-writes.ts";

type Decide = Parameters<ContactStore["optOut"]>[1];
type Latest = Row<typeof consentLog, "action">;

const MAILED_OR_THERE =
  "SELECT seq, id, email, status FROM contacts WHERE workspace = ?1 AND (id = ?2 OR email = ?3)";

/**
 * `ContactStore.optOut` on an open transaction, for a store that writes more in it. It yields where somebody is on
 * very many lists. True: a withdrawal was logged.
 */
export const optOutWrite = oncePerDatabase((sqlite) => {
  const { suppressionOf, leaveMany, carryOut } = consentWrites(sqlite);
  const mailedOrThere = sqlite.query<StandingRow, [number, string | null, string]>(MAILED_OR_THERE);

  const ofContact = sqlite.query<Latest, [string]>(LATEST_OF_CONTACT);
  const ofAddress = sqlite.query<Latest, [number, string]>(LATEST_OF_ADDRESS);

  /** Whether the log says it. Without a contact, whoever had the address counts. */
  const saysTheyLeft = (workspace: number, contact: StandingRow | null, address: string): boolean => {
    const latest = contact === null ? ofAddress.get(workspace, address) : ofContact.get(contact.id);
    return latest?.action === "WITHDRAWN";
  };

  return function* (
    workspace: number,
    optOut: Omit<OptOut, "workspaceId">,
    decide: Decide,
  ): Generator<void, boolean, void> {
    const { address, contactId, origin, at } = optOut;
    const contacts = mailedOrThere.all(workspace, contactId, address);
    let withdrawn = false;
    for (const contact of contacts.length > 0 ? contacts : [null]) {
      // They count as suppressed only if both addresses are.
      const current = suppressionOf(workspace, contact?.email ?? address);
      const suppression = current === null ? null : suppressionOf(workspace, address);
      const standing = { current: contact?.status ?? null, suppression };
      const hasWithdrawn = isOutAlready(standing) && saysTheyLeft(workspace, contact, address);
      const decision = decide({ ...standing, hasWithdrawn });
      yield* leaveMany(contact, decision, at);
      carryOut(workspace, { contact, contactId: contactId ?? "", address }, decision, { ...origin, at });
      withdrawn ||= decision.consentEntry !== null;
    }
    return withdrawn;
  };
});
