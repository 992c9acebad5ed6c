import type { LedgerStore } from "#deliveries/store.ts";
import type { LedgerMoves } from "./ledger-moves.ts";
import type { SqliteDatabase } from "./open.ts";

type Engagement = Pick<LedgerStore, "recordEngagement" | "markUnsubscribed">;

/** Opens, clicks and opt-outs of a message, each counted once in the transaction that marks its row. */
export function engagementWrites({ sqlite, writes }: SqliteDatabase, moves: LedgerMoves): Engagement {
  const markOnce = (column: "opened_at" | "clicked_at" | "unsubscribed_at", counter: string) => {
    const mark = sqlite.query<{ mailing: number }, [number, number]>(
      `UPDATE deliveries SET ${column} = ? WHERE seq = ? AND ${column} IS NULL RETURNING mailing`,
    );
    const count = sqlite.query(`UPDATE mailings SET ${counter} = ${counter} + 1 WHERE seq = ?`);
    return (message: number, now: number): boolean => {
      const row = mark.get(now, message);
      if (row) count.run(row.mailing);
      return row !== null;
    };
  };
  const once = { open: markOnce("opened_at", "opened"), click: markOnce("clicked_at", "clicked") };
  const optedOut = markOnce("unsubscribed_at", "unsubscribed");

  /** Who reads a message has got it. */
  const arrived = (message: number, now: number): void => {
    const row = moves.find(message);
    if (row?.state === "uncertain") moves.move(row, "sent", { now, reason: "SEEN_BY_RECIPIENT", countsAsAttempt: false });
  };

  return {
    recordEngagement: (hits, now) =>
      writes.write(() => {
        for (const { message, kind } of hits) if (once[kind](message, now)) arrived(message, now);
      }),

    markUnsubscribed: (message, now) =>
      writes.write(() => {
        const first = optedOut(message, now);
        if (first) arrived(message, now);
        return first;
      }),
  };
}
