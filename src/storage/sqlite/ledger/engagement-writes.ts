import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import type { EngagementHit } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { clickCounts } from "./link-clicks.ts";
import { acceptedAt, SEEN } from "#storage/common/ledger/evidence.ts";
import { OF_MACHINE, OF_PERSON } from "#storage/common/ledger/engagement-columns.ts";
import type { LedgerMoves } from "#storage/sqlite/ledger/moves/ledger-moves.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";
import { activityWrites, campaignActivity } from "#storage/sqlite/stats/activity-writes.ts";
import {
  messageOutbox,
  type MessageOutbox,
  type ToldMessage,
} from "#storage/sqlite/webhooks/message-outbox.ts";

/** With this many messages for webhooks, a write is long enough. With 50 webhooks that is 20 opens. */
const TOLD_A_WRITE = 1_000;

type Engagement = Pick<LedgerStore, "recordEngagement" | "markUnsubscribed">;

/** A row's mark, with the same name as the mailing's counter for it. */
type Mark = "opened" | "clicked" | "unsubscribed" | "machine_opened" | "machine_clicked" | "suspected";

/** A row that has just been marked, with its values from before. */
type MarkedRow = Row<typeof deliveries, "mailing" | "state" | "reason" | "settledAt"> &
  Row<typeof mailings, "workspace">;

/** Null if the row already has the mark, or was deleted. */
type MarkOnce = (name: Mark, message: number, now: number) => MarkedRow | null;

/** Opens, clicks and opt-outs of a message, each counted once in the transaction that marks its row. */
export function engagementWrites({ sqlite, writes }: SqliteDatabase, moves: LedgerMoves): Engagement {
  const markRows = rowMarking(sqlite);
  const newClicks = clickCounts(sqlite);

  /** A person who reads a message has received it. */
  const arrived = ({ state }: MarkedRow, message: number, now: number): void => {
    const row = state === "uncertain" ? moves.find(message) : null;
    if (row) moves.move(row, { to: "sent", reason: SEEN, countsAsAttempt: false }, now);
  };

  const tell = (outbox: MessageOutbox, { workspace }: MarkedRow, hit: EngagementHit): void => {
    const message = (): ToldMessage => present(moves.find(hit.message), "message that was just marked");
    if (hit.kind === "open") outbox.add("email.opened", workspace, hit.at, message);
    else outbox.add("email.clicked", workspace, hit.at, message, { url: hit.link?.url ?? null });
  };

  const recordPerson = (
    markOnce: MarkOnce,
    outbox: MessageOutbox,
    hit: EngagementHit,
    isOpenedTooSoon: TooSoon,
  ): void => {
    const { message, kind, by, at } = hit;
    const first = markOnce(OF_PERSON[kind], message, at);
    const isSoon = first !== null && kind === "open" && isOpenedTooSoon(at, acceptedAt(first, at));
    if (by === "suspect" || isSoon) markOnce("suspected", message, at);
    if (first === null) return;
    arrived(first, message, at);
    tell(outbox, first, hit);
  };

  return {
    recordEngagement: (hits, isOpenedTooSoon) =>
      writes.write(() =>
        markRows((markOnce, outbox) => {
          const clicks = newClicks();
          let recorded = 0;
          for (const hit of hits) {
            if (outbox.size >= TOLD_A_WRITE) break;
            recorded++;
            if (hit.by === "machine") markOnce(OF_MACHINE[hit.kind], hit.message, hit.at);
            else {
              recordPerson(markOnce, outbox, hit, isOpenedTooSoon);
              clicks.add(hit);
            }
          }
          clicks.book();
          return recorded;
        }),
      ),

    markUnsubscribed: (message, now) =>
      writes.write(() =>
        markRows((markOnce) => {
          const first = markOnce("unsubscribed", message, now);
          if (first !== null) arrived(first, message, now);
          return first !== null;
        }),
      ),
  };
}

type TooSoon = Parameters<Engagement["recordEngagement"]>[1];

/**
 * Marks rows, and updates the counters of their mailings once at the end: most rows of a group belong to one
 * mailing.
 */
function rowMarking(sqlite: Database) {
  const markers = {
    opened: marker(sqlite, "opened"),
    clicked: marker(sqlite, "clicked"),
    unsubscribed: marker(sqlite, "unsubscribed"),
    machine_opened: marker(sqlite, "machine_opened"),
    machine_clicked: marker(sqlite, "machine_clicked"),
    suspected: marker(sqlite, "suspected"),
  };
  const newActivity = activityWrites(sqlite);
  const newTimeline = campaignActivity(sqlite);
  const newOutbox = messageOutbox(sqlite);

  return <T>(work: (markOnce: MarkOnce, outbox: MessageOutbox) => T): T => {
    const marked = new Map<Mark, Map<number, number>>();
    const activity = newActivity();
    const timeline = newTimeline();
    const outbox = newOutbox();
    const result = work((name, message, now) => {
      const row = markers[name].unmarked.get(message);
      if (row === null) return null;
      markers[name].mark.run(now, message);
      const counts = marked.get(name) ?? new Map<number, number>();
      marked.set(name, counts);
      counts.set(row.mailing, (counts.get(row.mailing) ?? 0) + 1);
      if (name === "opened" || name === "clicked") activity.add(row.workspace, now, name);
      if (name === "opened" || name === "clicked" || name === "unsubscribed")
        timeline.add(row.mailing, now, name);
      return row;
    }, outbox);
    for (const [name, counts] of marked)
      for (const [mailing, n] of counts) markers[name].count.run(n, mailing);
    activity.book();
    timeline.book();
    outbox.book();
    return result;
  };
}

function marker(sqlite: Database, name: Mark) {
  // Reads first and marks then: one statement for both (RETURNING) costs more, and most opens are not the first. A
  // join with the mailing costs ten times as much as a subquery.
  const unmarked = sqlite.query<MarkedRow, [number]>(
    `SELECT mailing, state, reason, settled_at AS settledAt,
       (SELECT workspace FROM mailings WHERE seq = mailing) AS workspace
     FROM deliveries WHERE seq = ? AND ${name}_at IS NULL`,
  );
  const mark = sqlite.query<null, [number, number]>(`UPDATE deliveries SET ${name}_at = ? WHERE seq = ?`);
  const count = sqlite.query<null, [number, number]>(
    `UPDATE mailings SET ${name} = ${name} + ? WHERE seq = ?`,
  );
  return { unmarked, mark, count };
}
