import type { EngagementHit } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { LedgerMoves } from "./ledger-moves.ts";
import type { SqliteDatabase } from "./open.ts";

type Engagement = Pick<LedgerStore, "recordEngagement" | "markUnsubscribed">;

/** A row's mark, named as the mailing's counter of such rows. */
type Mark = "opened" | "clicked" | "unsubscribed" | "machine_opened" | "machine_clicked" | "suspected";

/** Why a message is `sent` although no relay said so. */
const SEEN = "SEEN_BY_RECIPIENT";

/** Opens, clicks and opt-outs of a message, each counted once in the transaction that marks its row. */
export function engagementWrites({ sqlite, writes }: SqliteDatabase, moves: LedgerMoves): Engagement {
  const markOnce = (name: Mark) => {
    const mark = sqlite.query<{ mailing: number }, [number, number]>(
      `UPDATE deliveries SET ${name}_at = ? WHERE seq = ? AND ${name}_at IS NULL RETURNING mailing`,
    );
    const count = sqlite.query(`UPDATE mailings SET ${name} = ${name} + 1 WHERE seq = ?`);
    return (message: number, now: number): boolean => {
      const row = mark.get(now, message);
      if (row) count.run(row.mailing);
      return row !== null;
    };
  };
  const byPerson = { open: markOnce("opened"), click: markOnce("clicked") };
  const byMachine = { open: markOnce("machine_opened"), click: markOnce("machine_clicked") };
  const suspected = markOnce("suspected");
  const optedOut = markOnce("unsubscribed");

  // At its dot a message is just about to be accepted, and then written: who opens it now is the sooner for that.
  const acceptedAt = sqlite.query<{ at: number | null }, [number, string, number]>(
    `SELECT CASE state WHEN 'dot' THEN ? WHEN 'sent' THEN iif(reason IS ?, NULL, settled_at) END AS at
     FROM deliveries WHERE seq = ?`,
  );

  /** Who reads a message has got it. */
  const arrived = (message: number, now: number): void => {
    const row = moves.find(message);
    if (row?.state === "uncertain") moves.move(row, "sent", { now, reason: SEEN, countsAsAttempt: false });
  };

  type TooSoon = Parameters<Engagement["recordEngagement"]>[1];
  const recordPerson = ({ message, kind, by, at }: EngagementHit, isOpenedTooSoon: TooSoon): void => {
    const isFirst = byPerson[kind](message, at);
    const isSoon = () => isOpenedTooSoon(at, acceptedAt.get(at, SEEN, message)?.at ?? null);
    if (by === "suspect" || (kind === "open" && isFirst && isSoon())) suspected(message, at);
    if (isFirst) arrived(message, at);
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
        if (first) arrived(message, now);
        return first;
      }),
  };
}
