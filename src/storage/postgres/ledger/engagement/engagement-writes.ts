import type { EngagementHit } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { acceptedAt, SEEN } from "#storage/common/ledger/evidence.ts";
import { OF_MACHINE, OF_PERSON } from "#storage/common/ledger/engagement-columns.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { messageOutbox, type MessageOutbox } from "#storage/postgres/webhooks/message-outbox.ts";
import { newMarks, type Marks } from "./engagement-marks.ts";
import { clickCounts } from "./link-clicks.ts";
import type { MessageRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { newTally, type Tally } from "#storage/postgres/ledger/moves/tally.ts";

type Engagement = Pick<LedgerStore, "recordEngagement" | "markUnsubscribed">;
type TooSoon = Parameters<Engagement["recordEngagement"]>[1];
type Writing = { readonly marks: Marks; readonly tally: Tally; readonly outbox: MessageOutbox };

/** Opens, clicks and opt-outs of a message, each counted once in the transaction that marks its row. */
export function engagementWrites({ write }: PostgresDatabase): Engagement {
  return {
    recordEngagement: (hits, isOpenedTooSoon) =>
      write(async (tx) => {
        const marks = await newMarks(
          tx,
          hits.map(({ message }) => message),
        );
        const clicks = clickCounts(tx);
        const writing = { marks, tally: newTally(tx), outbox: messageOutbox(tx) };
        for (const hit of hits) {
          if (hit.by === "machine") marks.once(OF_MACHINE[hit.kind], hit.message, hit.at);
          else {
            await recordPerson(writing, hit, isOpenedTooSoon);
            clicks.add(marks.find(hit.message), hit);
          }
        }
        await marks.book();
        await writing.tally.book();
        await clicks.book();
        await writing.outbox.book();
        // The rows are the database's work, and other requests go on meanwhile.
        return hits.length;
      }),

    markUnsubscribed: (message, now) =>
      write(async (tx) => {
        const marks = await newMarks(tx, [message]);
        const first = marks.once("unsubscribed", message, now);
        if (first === null) return false;
        const tally = newTally(tx);
        arrived(tally, first, now);
        await marks.book();
        await tally.book();
        return true;
      }),
  };
}

async function recordPerson(
  { marks, tally, outbox }: Writing,
  hit: EngagementHit,
  isOpenedTooSoon: TooSoon,
): Promise<void> {
  const { message, kind, by, at } = hit;
  const first = marks.once(OF_PERSON[kind], message, at);
  const isSoon = first !== null && kind === "open" && isOpenedTooSoon(at, acceptedAt(first, at));
  if (by === "suspect" || isSoon) marks.once("suspected", message, at);
  if (first === null) return;
  arrived(tally, first, at);
  if (kind === "open") await outbox.add("email.opened", first.workspace, at, () => first);
  else await outbox.add("email.clicked", first.workspace, at, () => first, { url: hit.link?.url ?? null });
}

/** A person who reads a message has received it. */
function arrived(tally: Tally, row: MessageRow, now: number): void {
  if (row.state === "uncertain")
    tally.move(row, { to: "sent", reason: SEEN, countsAsAttempt: false }, { now });
}
