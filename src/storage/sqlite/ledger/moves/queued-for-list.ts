import type { Database } from "bun:sqlite";
import { skip } from "#deliveries/moves/move.ts";
import { ledgerMoves, type MessageRow } from "./ledger-moves.ts";

/**
 * On an open transaction: a person has left a list. What campaigns to that list still owe them is skipped as
 * `OPTED_OUT`. That holds for campaigns to a segment of that list too: the person would get them as its
 * member. A message at its dot goes out.
 */
export function queuedForList(sqlite: Database): (contact: number, list: number, at: number) => void {
  const moves = ledgerMoves(sqlite);
  const queued = sqlite.query<MessageRow, [number, number]>(
    `SELECT d.seq, d.mailing, d.address, d.state, d.contact, c.id AS contactId,
       m.workspace, m.kind, m.phase, m.held, m.is_test AS isTest
     FROM deliveries d JOIN mailings m ON m.seq = d.mailing LEFT JOIN contacts c ON c.seq = d.contact
     WHERE d.contact = ? AND d.state = 'queued' AND m.kind = 'campaign' AND m.list = ? AND m.phase IN ('planning', 'sending')`,
  );
  return (contact, list, at) => {
    const tally = moves.tally();
    for (const row of queued.all(contact, list)) tally.move(row, skip("OPTED_OUT"), { now: at });
    tally.book(at);
  };
}
