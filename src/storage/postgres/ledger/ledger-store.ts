import type { Clock } from "#core/time/clock.ts";
import { decideLook } from "#deliveries/moves/claim.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { deliveryReads } from "./delivery-reads.ts";
import { domainSendsRead } from "./domain-sends.ts";
import { engagementWrites } from "#storage/postgres/ledger/engagement/engagement-writes.ts";
import { finishEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import { ledgerReads } from "./ledger-reads.ts";
import { messageLinks } from "#storage/postgres/ledger/engagement/message-links.ts";
import { messageValues } from "./message-values.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { owedReads } from "#storage/postgres/ledger/nodes/owed-reads.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { takenSlices } from "#storage/postgres/ledger/nodes/taken-slices.ts";
import { ledgerRounds } from "#storage/postgres/ledger/nodes/rounds.ts";
import { lockLedgerRows } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { moveOne } from "#storage/postgres/ledger/moves/tally.ts";

export function ledgerStore(
  database: PostgresDatabase,
  own: OwnNode,
  clock: Pick<Clock, "monotonicMs">,
): LedgerStore {
  const { perform, takeBack } = ledgerRounds(database, own);
  const reads = ledgerReads(database, own);
  const taken = { slices: takenSlices(), leftRetries: takenSlices(), reached: new Map<number, number>() };

  return {
    ...registry(database, own, clock),
    ...reads,
    ...owedReads(database, own, taken),
    ...deliveryReads(database),
    ...messageLinks(database),
    ...messageValues(database),
    ...engagementWrites(database),
    domainSends: domainSendsRead(database),

    // Called at every look for work, so also as soon as the database answers again.
    async sendable() {
      await takeBack();
      const underWay = await reads.sendable();
      const numbers = new Set(underWay.map(({ number }) => number));
      taken.slices.keepOnly(numbers);
      taken.leftRetries.keepOnly(numbers);
      for (const mailing of taken.reached.keys()) if (!numbers.has(mailing)) taken.reached.delete(mailing);
      return underWay;
    },

    async skipIfBarred(message, now) {
      const looked = await database.write(async (tx) => {
        const row = (await lockLedgerRows(tx, [message])).get(message);
        if (row === undefined) return { answer: "gone" as const, lessOwed: [] };
        const { answer, move } = decideLook(row);
        return { answer, lessOwed: move === null ? [] : await moveOne(tx, row, move, now) };
      });
      await finishEmptied(database, looked.lessOwed, now);
      return looked.answer;
    },

    // A message that somebody waits for shares the next round, but waits for no other.
    claimDot: (message, run, now, urgency, { isCounted }) =>
      perform({ message, run, now, isCounted }, urgency === "bulk" ? "soon" : "now"),
    async settle(message, outcome, now, strike, urgency) {
      await perform({ message, outcome, now, strike }, urgency === "bulk" ? "later" : "now");
    },
  };
}
