import type { EngagementHit } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { LedgerMoves } from "./ledger-moves.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries } from "#storage/sqlite/schema/schema.ts";

type Engagement = Pick<LedgerStore, "recordEngagement" | "markUnsubscribed">;

/** A row's mark, named as the mailing's counter of such rows. */
type Mark = "opened" | "clicked" | "unsubscribed" | "machine_opened" | "machine_clicked" | "suspected";

/** A row that was marked just now, as it stood before. */
type MarkedRow = Row<typeof deliveries, "mailing" | "state" | "reason" | "settledAt">;

/** Null where the row has the mark already, or is gone. */
type MarkOnce = (name: Mark, message: number, now: number) => MarkedRow | null;

/** Why a message is `sent` although no relay said so. */
const SEEN = "SEEN_BY_RECIPIENT";

/** Opens, clicks and opt-outs of a message, each counted once in the transaction that marks its row. */
export function engagementWrites({ sqlite, writes }: SqliteDatabase, moves: LedgerMoves): Engagement {
  const marker = (name: Mark) => {
    // First a look, then the mark: one statement that does both (RETURNING) costs more, and most opens are not the first.
    const unmarked = sqlite.query<MarkedRow, [number]>(
      `SELECT mailing, state, reason, settled_at AS settledAt FROM deliveries WHERE seq = ? AND ${name}_at IS NULL`,
    );
    const mark = sqlite.query<null, [number, number]>(`UPDATE deliveries SET ${name}_at = ? WHERE seq = ?`);
    const count = sqlite.query<null, [number, number]>(
      `UPDATE mailings SET ${name} = ${name} + ? WHERE seq = ?`,
    );
    return { unmarked, mark, count };
  };
  const markers = {
    opened: marker("opened"),
    clicked: marker("clicked"),
    unsubscribed: marker("unsubscribed"),
    machine_opened: marker("machine_opened"),
    machine_clicked: marker("machine_clicked"),
    suspected: marker("suspected"),
  };
  const ofPerson = { open: "opened", click: "clicked" } as const;
  const ofMachine = { open: "machine_opened", click: "machine_clicked" } as const;

  /** Marks rows, and counts them for their mailings when all are marked: a group is mostly of one mailing. */
  const markingRows = <T>(work: (markOnce: MarkOnce) => T): T => {
    const marked: Partial<Record<Mark, Map<number, number>>> = {};
    const result = work((name, message, now) => {
      const row = markers[name].unmarked.get(message);
      if (row === null) return null;
      markers[name].mark.run(now, message);
      const counts = (marked[name] ??= new Map<number, number>());
      counts.set(row.mailing, (counts.get(row.mailing) ?? 0) + 1);
      return row;
    });
    for (const [name, counts] of Object.entries(marked))
      for (const [mailing, n] of counts) markers[name as Mark].count.run(n, mailing);
    return result;
  };

  /** Who reads a message has got it. */
  const arrived = ({ state }: MarkedRow, message: number, now: number): void => {
    const row = state === "uncertain" ? moves.find(message) : null;
    if (row) moves.move(row, "sent", { now, reason: SEEN, countsAsAttempt: false });
  };

  type TooSoon = Parameters<Engagement["recordEngagement"]>[1];
  const recordPerson = (
    markOnce: MarkOnce,
    { message, kind, by, at }: EngagementHit,
    isOpenedTooSoon: TooSoon,
  ): void => {
    const first = markOnce(ofPerson[kind], message, at);
    const isSoon = first !== null && kind === "open" && isOpenedTooSoon(at, acceptedAt(first, at));
    if (by === "suspect" || isSoon) markOnce("suspected", message, at);
    if (first !== null) arrived(first, message, at);
  };

  return {
    recordEngagement: (hits, isOpenedTooSoon) =>
      writes.write(() =>
        markingRows((markOnce) => {
          for (const hit of hits) {
            if (hit.by === "machine") markOnce(ofMachine[hit.kind], hit.message, hit.at);
            else recordPerson(markOnce, hit, isOpenedTooSoon);
          }
        }),
      ),

    markUnsubscribed: (message, now) =>
      writes.write(() =>
        markingRows((markOnce) => {
          const first = markOnce("unsubscribed", message, now);
          if (first !== null) arrived(first, message, now);
          return first !== null;
        }),
      ),
  };
}

/** When the relay took it. At its dot a message is just about to be accepted, and then written: who opens it now is the sooner for that. */
function acceptedAt({ state, reason, settledAt }: MarkedRow, now: number): number | null {
  if (state === "dot") return now;
  return state === "sent" && reason !== SEEN ? settledAt : null;
}
