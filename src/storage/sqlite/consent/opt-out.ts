import type { ContactStore, OptOut } from "#contacts/store.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { consentWrites, type StandingRow } from "./consent-writes.ts";

type Decide = Parameters<ContactStore["optOut"]>[1];

const MAILED_OR_THERE =
  "SELECT seq, id, email, status FROM contacts WHERE workspace = ?1 AND (id = ?2 OR email = ?3)";

/**
 * `ContactStore.optOut` on an open transaction, for a store that writes more in it. It yields where somebody is on
 * very many lists. True: a withdrawal was logged.
 */
export const optOutWrite = oncePerDatabase((sqlite) => {
  const { suppressionOf, leaveMany, carryOut } = consentWrites(sqlite);
  const mailedOrThere = sqlite.query<StandingRow, [number, string | null, string]>(MAILED_OR_THERE);

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
      const decision = decide({ current: contact?.status ?? null, suppression });
      yield* leaveMany(contact, decision, at);
      carryOut(workspace, { contact, contactId: contactId ?? "", address }, decision, { ...origin, at });
      withdrawn ||= decision.consentEntry !== null;
    }
    return withdrawn;
  };
});
