import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { decideOnHardBounce, type ConsentDecision } from "#contacts/consent/consent.ts";
import { BY_BOUNCE, type ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import { strongerReason, type SuppressionReason } from "#suppression/reason.ts";
import type { DecisionSource } from "#core/decision-source.ts";
import { bulkInsert } from "#storage/sqlite/engine/writes/bulk-insert.ts";
import { listDepartures } from "#storage/sqlite/lists/list-departures.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { consentLog, contacts, suppressions } from "#storage/sqlite/schema/schema.ts";
import { contactActivity } from "#storage/sqlite/stats/contact-activity.ts";
import { contactOutbox } from "#storage/sqlite/webhooks/contact-outbox.ts";
import type { ConsentOf, Suppress } from "#storage/common/consent/consent-write.ts";

/** The columns of a contact's row that a consent decision needs. */
export type StandingRow = Row<typeof contacts, "seq" | "id" | "email" | "status">;

const ENTRY_COLUMNS = [
  "workspace",
  "contact_id",
  "address",
  "action",
  "source",
  "at",
  "form_id",
  "client_address",
  "user_agent",
  "reason",
  "list_id",
] as const;

/**
 * What a change of consent writes. Each store that causes one (a request, a bounce, an unsubscribe) calls
 * this inside its own open transaction.
 */
export const consentWrites = oncePerDatabase((sqlite) => {
  const { suppressionOf, suppress } = suppressing(sqlite);
  const logConsents = consentLogging(sqlite);
  const departures = listDepartures(sqlite);
  const activity = contactActivity(sqlite);
  const outbox = contactOutbox(sqlite);
  const setStatus = sqlite.query<null, [ContactStatus, number]>(
    "UPDATE contacts SET status = ? WHERE seq = ?",
  );

  const voidOpen = sqlite.query<null, [number, number, string]>(
    "UPDATE confirmations SET voided_at = ? WHERE workspace = ? AND address = ? AND voided_at IS NULL",
  );

  /** Confirmation links that were sent to the address stop working. */
  const voidLinks = (workspace: number, address: string, at: number): void => {
    voidOpen.run(at, workspace, address);
  };

  /** Takes a contact off every list. */
  const leaveLists = (contact: number, at: number): void => {
    departures.leaveAll(contact, at);
  };

  /** Before `carryOut`, in the same transaction: takes somebody off very many lists, in slices. */
  const leaveMany = function* (
    contact: StandingRow | null,
    decision: ConsentDecision,
    at: number,
  ): Generator<void, void, void> {
    if (contact !== null && decision.leaveLists) yield* departures.leaveMany([{ contact: contact.seq, at }]);
  };

  /**
   * Carries out a decision about the person who was mailed at `address`. If the contact has another address now,
   * both are suppressed. If the contact was deleted, only the address is, and `contactId` is the contact's former
   * id.
   */
  const carryOut = (
    workspace: number,
    mailed: { contact: StandingRow | null; contactId: string; address: string },
    decision: ConsentDecision,
    origin: ConsentOrigin & { at: number },
  ): void => {
    const { contact, address } = mailed;
    for (const each of new Set([address, contact?.email ?? address])) {
      if (decision.suppress !== null)
        suppress(workspace, {
          address: each,
          reason: decision.suppress,
          source: origin.source,
          at: origin.at,
        });
      if (decision.voidsLinks) voidLinks(workspace, each, origin.at);
    }
    if (contact !== null) {
      if (decision.leaveLists) leaveLists(contact.seq, origin.at);
      if (decision.status !== contact.status) {
        setStatus.run(decision.status, contact.seq);
        const change = { before: contact.status, after: decision.status, at: origin.at };
        outbox.rewritten(workspace, contact.seq, change);
      }
      activity.changed(workspace, contact.status, decision.status, origin.at);
    }
    if (decision.consentEntry !== null) {
      const person = { id: contact?.id ?? mailed.contactId, email: address };
      logConsents(workspace, [{ person, entry: { ...origin, action: decision.consentEntry } }]);
    }
  };

  return { suppressionOf, suppress, voidLinks, logConsents, leaveLists, leaveMany, carryOut };
});

function suppressing(sqlite: Database) {
  const activity = contactActivity(sqlite);
  const reasonOf = sqlite.query<Row<typeof suppressions, "reason">, [number, string]>(
    "SELECT reason FROM suppressions WHERE workspace = ? AND address = ?",
  );
  const saveReason = sqlite.query<null, [number, string, SuppressionReason, DecisionSource, number]>(
    `INSERT INTO suppressions (workspace, address, reason, source, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET reason = excluded.reason, source = excluded.source`,
  );

  const suppressionOf = (workspace: number, address: string): SuppressionReason | null =>
    reasonOf.get(workspace, address)?.reason ?? null;

  return {
    suppressionOf,

    /** Adds an entry. An existing entry keeps its time, and the stronger reason with its source is kept. */
    suppress(workspace: number, { address, reason, source, at }: Suppress): void {
      const current = suppressionOf(workspace, address);
      const next = strongerReason(current, reason);
      if (next === current) return;
      saveReason.run(workspace, address, next, source, at);
      activity.suppressed(workspace, { address, reason: next, source }, at);
    },
  };
}

function consentLogging(sqlite: Database) {
  const insertEntries = bulkInsert(sqlite, "consent_log", ENTRY_COLUMNS);
  const logged = sqlite.query<Row<typeof consentLog, "seq">, (number | string)[]>(
    `SELECT seq FROM consent_log
     WHERE workspace = ? AND address = ? AND contact_id = ? AND action = ? AND source = ? AND at = ? LIMIT 1`,
  );
  const isLogged = (workspace: number, { person, entry }: ConsentOf): boolean =>
    logged.get(workspace, person.email, person.id, entry.action, entry.source, entry.at) !== null;

  return (workspace: number, entries: readonly ConsentOf[]): void => {
    const fresh = entries.filter((of) => of.entry.isOnce !== true || !isLogged(workspace, of));
    insertEntries(
      fresh.map(({ person, entry }) => [
        workspace,
        person.id,
        person.email,
        entry.action,
        entry.source,
        entry.at,
        entry.formId,
        entry.clientAddress,
        entry.userAgent,
        entry.reason ?? null,
        entry.listId ?? null,
      ]),
    );
  };
}

type HardBounce = { readonly workspace: number; readonly address: string; readonly now: number };

/**
 * On an open transaction: a relay refused the address permanently. The address is suppressed. The contact that has
 * it becomes BOUNCED and leaves every list. A contact that has another address by now stays unchanged. It yields where
 * somebody is on very many lists.
 */
export function* hardBounce(
  sqlite: Database,
  { workspace, address, now }: HardBounce,
): Generator<void, void, void> {
  const contact = sqlite
    .query<StandingRow, [number, string]>(
      "SELECT seq, id, email, status FROM contacts WHERE workspace = ? AND email = ?",
    )
    .get(workspace, address);
  const decision = decideOnHardBounce(contact?.status ?? null);
  const mailed = { contact, contactId: contact?.id ?? "", address };
  const { leaveMany, carryOut } = consentWrites(sqlite);
  yield* leaveMany(contact, decision, now);
  carryOut(workspace, mailed, decision, { ...BY_BOUNCE, at: now });
}
