import type { Claimable } from "#deliveries/moves/claim.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { OuterRow, Row, Value } from "#storage/postgres/schema/row.ts";
import type { contacts, deliveries, mailings, suppressions } from "#storage/postgres/schema/schema.ts";

/** `contactId` is the contact's public id; null if the contact was deleted. */
export type MessageRow = Row<
  typeof deliveries,
  "seq" | "mailing" | "address" | "state" | "reason" | "contact" | "settledAt" | "node"
> &
  Row<typeof mailings, "workspace" | "kind" | "phase" | "held" | "isTest"> & {
    readonly contactId: Value<typeof contacts, "id"> | null;
  };

/** A row of the ledger with everything that decides about its next step. */
export type LedgerRow = MessageRow & Claimable & { readonly hasStrikes: boolean };

/** From the tables of `BARRING_JOINS`. */
export type BarringRow = OuterRow<typeof contacts, "status"> & {
  suppression: Value<typeof suppressions, "reason"> | null;
  domainBlocked: boolean;
};

type FoundRow = MessageRow & BarringRow & { linkIsVoid: boolean; hasStrikes: boolean };

/** Joins what keeps mail from an address: `suppressions s` and `blocked_domains b`. Both arguments are columns. */
export const barringJoins = (workspace: string, address: string): string =>
  `LEFT JOIN suppressions AS s ON s.workspace = ${workspace} AND s.address = ${address}
   LEFT JOIN blocked_domains AS b ON b.workspace = ${workspace} AND b.domain = substr(${address}, strpos(${address}, '@') + 1)`;

/** The joins for the reasons not to send a message, for the rows of `deliveries d` with their mailing `m`. */
export const BARRING_JOINS = `LEFT JOIN contacts AS c ON c.seq = d.contact
   ${barringJoins("m.workspace", "d.address")}`;

/** The contact's status. Whoever has another address by now is no longer there: the letter was not meant for who is. */
export const STATUS_THERE = "CASE WHEN c.email = d.address THEN c.status END AS status";

const COLUMNS = `d.seq, d.mailing, d.address, d.state, d.reason, d.contact, d.settled_at, d.node, c.id AS contact_id,
  m.workspace, m.kind, m.phase, m.held, m.is_test`;

/**
 * Locks messages in the order of their numbers, so that there are no deadlocks. Their mailings are locked against
 * changes: pausing or stopping one waits until earlier claims are written.
 */
const LOCK = `FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing LEFT JOIN contacts AS c ON c.seq = d.contact`;
const LOCKED = "ORDER BY d.seq FOR NO KEY UPDATE OF d FOR SHARE OF m";
const LOCK_THOSE = "SELECT FROM deliveries WHERE seq = ANY($1::int8[]) ORDER BY seq FOR NO KEY UPDATE";

/** Locks messages that a transaction may move, by a condition on `deliveries d` and `mailings m`. */
export const lockMessages = (
  tx: Session,
  condition: string,
  values: Parameters<Session["rows"]>[1],
): Promise<MessageRow[]> =>
  tx.rows<MessageRow>(`SELECT ${COLUMNS} ${LOCK} WHERE ${condition} ${LOCKED}`, values);

const LEDGER_ROWS = `SELECT ${COLUMNS}, ${STATUS_THERE}, s.reason AS suppression, b.domain IS NOT NULL AS domain_blocked,
    CASE m.kind WHEN 'confirmation'
      THEN EXISTS (SELECT FROM confirmations WHERE delivery = d.seq AND voided_at IS NOT NULL) ELSE false END AS link_is_void,
    EXISTS (SELECT FROM address_strikes AS a WHERE a.workspace = m.workspace AND a.address = d.address) AS has_strikes
  FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing ${BARRING_JOINS}
  WHERE d.seq = ANY($1::int8[]) ORDER BY d.seq FOR SHARE OF m`;

/**
 * Locks messages, by their numbers in the ledger, and then reads them with everything committed before. The read is
 * a second statement: one that waits for a lock would see the contacts as they were before it waited.
 */
export async function lockLedgerRows(
  tx: Session,
  messages: readonly number[],
): Promise<Map<number, LedgerRow>> {
  const wanted = [[...new Set(messages)]];
  const [, rows] = await Promise.all([tx.run(LOCK_THOSE, wanted), tx.rows<FoundRow>(LEDGER_ROWS, wanted)]);
  return new Map(rows.map((row) => [row.seq, { ...row, isForTest: row.isTest, isHeld: row.held !== 0 }]));
}
