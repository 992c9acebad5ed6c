import type { Database } from "bun:sqlite";
import type { Claimable } from "#deliveries/moves/claim.ts";
import type { MessageRow } from "./ledger-moves.ts";
import type { OuterRow, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, suppressions } from "#storage/sqlite/schema/schema.ts";

/** A row of the ledger with everything that decides about its next step. */
export type LedgerRow = MessageRow & Claimable & { readonly hasStrikes: boolean };

type FoundRow = MessageRow &
  BarringRow & {
    linkIsVoid: number;
    hasStrikes: number;
  };

/** From the tables of `BARRING_JOINS`. */
export type BarringRow = OuterRow<typeof contacts, "status"> & {
  suppression: Value<typeof suppressions, "reason"> | null;
  domainBlocked: number;
};

/** Joins what keeps mail from an address: `suppressions s` and `blocked_domains b`. Both arguments are columns. */
export const barringJoins = (workspace: string, address: string): string =>
  `LEFT JOIN suppressions s ON s.workspace = ${workspace} AND s.address = ${address}
   LEFT JOIN blocked_domains b ON b.workspace = ${workspace} AND b.domain = substr(${address}, instr(${address}, '@') + 1)`;

/** The joins for the reasons not to send a message, for the rows of `deliveries d` with their mailing `m`. */
export const BARRING_JOINS = `LEFT JOIN contacts c ON c.seq = d.contact
   ${barringJoins("m.workspace", "d.address")}`;

/** The contact's status. Whoever has another address by now is no longer there: the letter was not meant for who is. */
export const STATUS_THERE = "CASE WHEN c.email = d.address THEN c.status END AS status";

/**
 * Reads rows by their numbers in the ledger. One statement reads all of them; it costs about as much as three for
 * one row each.
 */
export function ledgerRows(sqlite: Database) {
  const find = sqlite.query<FoundRow, [string]>(
    `SELECT d.seq, d.mailing, d.address, d.state, d.contact, c.id AS contactId,
       m.workspace, m.kind, m.phase, m.held, m.is_test AS isTest, ${STATUS_THERE}, s.reason AS suppression, b.domain IS NOT NULL AS domainBlocked,
       CASE m.kind WHEN 'confirmation'
         THEN EXISTS (SELECT 1 FROM confirmations WHERE delivery = d.seq AND voided_at IS NOT NULL) ELSE 0 END AS linkIsVoid,
       EXISTS (SELECT 1 FROM address_strikes a WHERE a.workspace = m.workspace AND a.address = d.address) AS hasStrikes
     FROM json_each(?) CROSS JOIN deliveries d ON d.seq = json_each.value JOIN mailings m ON m.seq = d.mailing
     ${BARRING_JOINS}`,
  );
  return (messages: readonly number[]): Map<number, LedgerRow> =>
    new Map(
      find.all(JSON.stringify(messages)).map((row) => [
        row.seq,
        {
          ...row,
          domainBlocked: row.domainBlocked === 1,
          linkIsVoid: row.linkIsVoid === 1,
          isForTest: row.isTest === 1,
          isHeld: row.held !== 0,
          hasStrikes: row.hasStrikes === 1,
        },
      ]),
    );
}
