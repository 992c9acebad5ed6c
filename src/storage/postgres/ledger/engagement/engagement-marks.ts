/** The marks of messages in one transaction: opened, clicked, left, by a person or a machine. Each is set once. */
import type { CampaignFigure } from "#campaigns/report/outcome-figures.ts";
import { present } from "#core/present.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { deliveries } from "#storage/postgres/schema/schema.ts";
import { activityWrites, campaignActivity } from "#storage/postgres/stats/activity-writes.ts";
import { lockMessages, type MessageRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";

export const MARKS = [
  "opened",
  "clicked",
  "unsubscribed",
  "machine_opened",
  "machine_clicked",
  "suspected",
] as const;

/** A mark has the same name as the mailing's counter for it. */
type Mark = (typeof MARKS)[number];

/** The marks that were set, by message. */
type Marked = Map<number, Map<Mark, number>>;

type StoredMarks = Row<
  typeof deliveries,
  "seq" | "openedAt" | "clickedAt" | "unsubscribedAt" | "machineOpenedAt" | "machineClickedAt" | "suspectedAt"
>;

const STORED = `SELECT seq, ${MARKS.map((mark) => `${mark}_at`).join(", ")} FROM deliveries WHERE seq = ANY($1::int8[])`;
const SET = `UPDATE deliveries AS d SET ${MARKS.map((mark) => `${mark}_at = coalesce(d.${mark}_at, r.${mark})`).join(", ")}
  FROM jsonb_to_recordset($1::text::jsonb) AS r (seq int8, ${MARKS.map((mark) => `${mark} int8`).join(", ")})
  WHERE d.seq = ANY($2::int8[]) AND d.seq = r.seq`;
const COUNT = `INSERT INTO tallies AS t (mailing, slot, ${MARKS.join(", ")})
  SELECT d.mailing, pg_backend_pid() % 16, ${MARKS.map((mark) => `count(r.${mark})`).join(", ")}
  FROM jsonb_to_recordset($1::text::jsonb) AS r (seq int8, ${MARKS.map((mark) => `${mark} int8`).join(", ")})
  JOIN deliveries AS d ON d.seq = ANY($2::int8[]) AND d.seq = r.seq GROUP BY d.mailing ORDER BY d.mailing
  ON CONFLICT (mailing, slot) DO UPDATE SET ${MARKS.map((mark) => `${mark} = t.${mark} + excluded.${mark}`).join(", ")}`;

export type Marks = {
  /** The message, locked; undefined: there is none. */
  find(message: number): MessageRow | undefined;
  /** Null if the row already has the mark, or does not exist. */
  once(mark: Mark, message: number, now: number): MessageRow | null;
  book(): Promise<void>;
};

/** Locks the messages; nothing is written before `book`. */
export async function newMarks(tx: Session, messages: readonly number[]): Promise<Marks> {
  const wanted = [...new Set(messages)];
  const locked = await lockMessages(tx, "d.seq = ANY($1::int8[])", [wanted]);
  const rows = new Map(locked.map((row) => [row.seq, row]));
  const isMarked = markedOf(await tx.rows<StoredMarks>(STORED, [wanted]));
  const set: Marked = new Map();
  const activity = activityWrites(tx);
  const timeline = campaignActivity(tx);

  return {
    find: (message) => rows.get(message),

    once(mark, message, now) {
      const row = rows.get(message);
      if (row === undefined || isMarked(message, mark) || set.get(message)?.has(mark) === true) return null;
      const marks = set.get(message) ?? new Map<Mark, number>();
      set.set(message, marks.set(mark, now));
      if (mark === "opened" || mark === "clicked") activity.add(row.workspace, now, mark);
      if (isFigure(mark)) timeline.add(row.mailing, now, mark);
      return row;
    },

    async book() {
      if (set.size === 0) return;
      const marked = [...set].map(([seq, marks]) => ({ seq, ...Object.fromEntries(marks) }));
      // The keys are passed separately too: see `writeMoves`.
      const changes = [JSON.stringify(marked), [...set.keys()]];
      await tx.run(SET, changes);
      await Promise.all([tx.run(COUNT, changes), activity.book(), timeline.book()]);
    },
  };
}

const isFigure = (mark: Mark): mark is Mark & CampaignFigure =>
  mark === "opened" || mark === "clicked" || mark === "unsubscribed";

function markedOf(stored: readonly StoredMarks[]): (message: number, mark: Mark) => boolean {
  const known = new Map(stored.map((row) => [row.seq, row]));
  const times: Record<Mark, (row: StoredMarks) => number | null> = {
    opened: ({ openedAt }) => openedAt,
    clicked: ({ clickedAt }) => clickedAt,
    unsubscribed: ({ unsubscribedAt }) => unsubscribedAt,
    machine_opened: ({ machineOpenedAt }) => machineOpenedAt,
    machine_clicked: ({ machineClickedAt }) => machineClickedAt,
    suspected: ({ suspectedAt }) => suspectedAt,
  };
  return (message, mark) => times[mark](present(known.get(message), "marks of a message")) !== null;
}
