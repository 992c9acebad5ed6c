import type { Database } from "bun:sqlite";
import type { ContactStore, OptOut } from "#contacts/store.ts";
import { isOnManyLists } from "#storage/sqlite/lists/list-departures.ts";
import { consentWrites, type StandingRow } from "./consent-writes.ts";

type Decide = Parameters<ContactStore["optOut"]>[1];

type Mailed = Pick<OptOut, "address" | "contactId">;

const MAILED_OR_THERE =
  "SELECT seq, id, email, status FROM contacts WHERE workspace = ?1 AND (id = ?2 OR email = ?3)";

const mailedOrThere = (sqlite: Database) => {
  const find = sqlite.query<StandingRow, [number, string | null, string]>(MAILED_OR_THERE);
  return (workspace: number, { contactId, address }: Mailed) => find.all(workspace, contactId, address);
};

/** Whether an opt-out takes too long for one turn of the event loop: somebody is on very many lists. */
export function isLongOptOut(sqlite: Database): (workspace: number, mailed: Mailed) => boolean {
  const contactsOf = mailedOrThere(sqlite);
  return (workspace, mailed) => contactsOf(workspace, mailed).some(({ seq }) => isOnManyLists(sqlite, seq));
}

/**
 * `ContactStore.optOut` on an open transaction, for a store that writes more in it. In slices, which are few
 * for nearly everybody. True: a withdrawal was logged.
 */
export function optOutWrite(sqlite: Database) {
  const { suppressionOf, leaveMost, carryOut } = consentWrites(sqlite);
  const contactsOf = mailedOrThere(sqlite);

  return function* (
    workspace: number,
    optOut: Omit<OptOut, "workspaceId">,
    decide: Decide,
  ): Generator<void, boolean, void> {
    const { address, contactId, origin, at } = optOut;
    const contacts = contactsOf(workspace, optOut);
    let withdrawn = false;
    for (const contact of contacts.length > 0 ? contacts : [null]) {
      // They count as suppressed only if both addresses are.
      const current = suppressionOf(workspace, contact?.email ?? address);
      const suppression = current === null ? null : suppressionOf(workspace, address);
      const decision = decide({ current: contact?.status ?? null, suppression });
      yield* leaveMost(contact, decision, at);
      carryOut(workspace, { contact, contactId: contactId ?? "", address }, decision, { ...origin, at });
      withdrawn ||= decision.consentEntry !== null;
    }
    return withdrawn;
  };
}
