import type { Database } from "bun:sqlite";
import type { ContactStore, OptOut } from "#contacts/store.ts";
import { consentWrites, type StandingRow } from "./consent-writes.ts";

type Decide = Parameters<ContactStore["optOut"]>[1];

/** `ContactStore.optOut` on an open transaction, for a store that writes more in it. True: a withdrawal was logged. */
export function optOutWrite(sqlite: Database) {
  const { suppressionOf, carryOut } = consentWrites(sqlite);
  const mailedOrThere = sqlite.query<StandingRow, [number, string | null, string]>(
    "SELECT seq, id, email, status FROM contacts WHERE workspace = ?1 AND (id = ?2 OR email = ?3)",
  );

  return (workspace: number, optOut: Omit<OptOut, "workspaceId">, decide: Decide): boolean => {
    const { address, contactId, origin, at } = optOut;
    const contacts = mailedOrThere.all(workspace, contactId, address);
    let withdrawn = false;
    for (const contact of contacts.length > 0 ? contacts : [null]) {
      // They count as suppressed only if both addresses are.
      const current = suppressionOf(workspace, contact?.email ?? address);
      const suppression = current === null ? null : suppressionOf(workspace, address);
      const decision = decide({ current: contact?.status ?? null, suppression });
      carryOut(workspace, { contact, contactId: contactId ?? "", address }, decision, { ...origin, at });
      withdrawn ||= decision.consentEntry !== null;
    }
    return withdrawn;
  };
}
