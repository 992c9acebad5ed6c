import type { DeliveryState, EngagementHit } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { LedgerMoves } from "./ledger-moves.ts";
import type { SqliteDatabase } from "./open.ts";

type Engagement = Pick<LedgerStore, "recordEngagement" | "markUnsubscribed">;

/** A row's mark, named as the mailing's counter of such rows. */
type Mark = "opened" | "clicked" | "unsubscribed" | "machine_opened" | "machine_clicked" | "suspected";

/** A row that was marked just now. */
type MarkedRow = {
  readonly mailing: number;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly settledAt: number | null;
};

/** Why a message is `sent` although no relay said so. */
const SEEN = "SEEN_BY_RECIPIENT";

/** Opens, clicks and opt-outs of a message, each counted once in the transaction that marks its row. */
export function engagementWrites({ sqlite, writes }: SqliteDatabase, moves: LedgerMoves): Engagement {
  // What is asked of the row comes with the mark: this runs for every open and click, and a second look would cost more than both.
  const markOnce = (name: Mark) => {
    const mark = sqlite.query<MarkedRow, [number, number]>(
      `UPDATE deliveries SET ${name}_at = ? WHERE seq = ? AND ${name}_at IS NULL
       RETURNING mailing, state, reason, settled_at AS settledAt`,
    );
    const count = sqlite.query(`UPDATE mailings SET ${name} = ${name} + 1 WHERE seq = ?`);
    return (message: number, now: number): MarkedRow | null => {
      const row = mark.get(now, message);
      if (row) count.run(row.mailing);
      return row;
    };
  };
  const byPerson = { open: markOnce("opened"), click: markOnce("clicked") };
  const byMachine = { open: markOnce("machine_opened"), click: markOnce("machine_clicked") };
  const suspected = markOnce("suspected");
  const optedOut = markOnce("unsubscribed");

  /** Who reads a message has got it. */
  const arrived = ({ state }: MarkedRow, message: number, now: number): void => {
    const row = state === "uncertain" ? moves.find(message) : null;
    if (row) moves.move(row, "sent", { now, reason: SEEN, countsAsAttempt: false });
  };

  type TooSoon = Parameters<Engagement["recordEngagement"]>[1];
  const recordPerson = ({ message, kind, by, at }: EngagementHit, isOpenedTooSoon: TooSoon): void => {
    const first = byPerson[kind](message, at);
    const isSoon = first !== null && kind === "open" && isOpenedTooSoon(at, acceptedAt(first, at));
    if (by === "suspect" || isSoon) suspected(message, at);
    if (first !== null) arrived(first, message, at);
  };

  return {
    recordEngagement: (hits, isOpenedTooSoon) =>
      writes.write(() => {
        for (const hit of hits) {
          if (hit.by === "machine") byMachine[hit.kind](hit.message, hit.at);
          else recordPerson(hit, isOpenedTooSoon);
        }
      }),

    markUnsubscribed: (message, now) =>
      writes.write(() => {
        const first = optedOut(message, now);
        if (first !== null) arrived(first, message, now);
        return first !== null;
      }),
  };
}

/** When the relay took it. At its dot a message is just about to be accepted, and then written: who opens it now is the sooner for that. */
function acceptedAt({ state, reason, settledAt }: MarkedRow, now: number): number | null {
  if (state === "dot") return now;
  return state === "sent" && reason !== SEEN ? settledAt : null;
}
