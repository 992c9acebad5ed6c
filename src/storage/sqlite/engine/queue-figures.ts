import { Database } from "bun:sqlite";
import { atOnce, inTurns } from "#core/time/event-loop.ts";
import { present } from "#core/present.ts";
import type { DatabaseFigures } from "#core/database-figures.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";

/** What is owed, and when the oldest due message became due; null if none is. */
type QueueFigures = DatabaseFigures["queue"] & { readonly oldestDueAt: number | null };

/** So many messages are counted in one turn of the event loop. */
const SLICE = 10_000;

/**
 * Counts the messages in progress. Only the index of retries is read, entry by entry: the others are those that wait
 * for their first attempt. Many are counted on a connection of their own: it sees one moment while others write.
 * A slice begins at a time and passes over its retries that were counted: few have the same millisecond.
 */
export function queueFigures(sqlite: Database): (now: number) => Promise<QueueFigures> {
  const here = counting(sqlite);
  return async (now) => {
    if (here.queued() <= SLICE) return atOnce(here.figures(now));
    const reader = new Database(sqlite.filename, { readonly: true, strict: true });
    try {
      reader.exec("BEGIN");
      return await inTurns(counting(reader).figures(now));
    } finally {
      reader.close();
    }
  };
}

const UNDER_WAY = "FROM mailings WHERE phase = 'sending' AND queued > 0";
const RETRIES = `FROM deliveries INDEXED BY deliveries_to_retry
  WHERE mailing = $mailing AND state = 'queued' AND next_attempt_at IS NOT NULL
    AND (next_attempt_at, seq) > ($at, $seq) AND next_attempt_at <= $until`;

type UnderWay = Row<typeof mailings, "seq" | "held" | "queued"> & { since: number };
/** The retries of a mailing behind one of them, up to a time. */
type Range = {
  readonly mailing: number;
  readonly at: number;
  readonly seq: number;
  readonly until: number;
};

function counting(sqlite: Database) {
  const queued = sqlite.query<{ n: number }, []>(
    `SELECT coalesce(sum(queued), 0) AS n ${UNDER_WAY} AND held = 0`,
  );
  const underWay = sqlite.query<UnderWay, []>(
    `SELECT seq, held, queued, coalesce(started_at, created_at) AS since ${UNDER_WAY}`,
  );
  const endOfSlice = sqlite.query<Row<typeof deliveries, "seq" | "nextAttemptAt">, [Range]>(
    `SELECT next_attempt_at AS nextAttemptAt, seq ${RETRIES} ORDER BY next_attempt_at, seq LIMIT 1 OFFSET ${SLICE - 1}`,
  );
  const rest = sqlite.query<{ n: number }, [Range]>(`SELECT count(*) AS n ${RETRIES}`);
  const first = sqlite.query<{ at: number | null }, [Range]>(`SELECT min(next_attempt_at) AS at ${RETRIES}`);

  function* countOf(range: Range): Generator<void, number, void> {
    let asked = range;
    for (let counted = 0; ; counted += SLICE) {
      const end = endOfSlice.get(asked);
      if (end === null) return counted + present(rest.get(asked), "count of messages to retry").n;
      asked = { ...range, at: present(end.nextAttemptAt, "time of a retry"), seq: end.seq };
      yield;
    }
  }

  return {
    queued: (): number => present(queued.get(), "count of owed messages").n,

    *figures(now: number): Generator<void, QueueFigures, void> {
      const figures = { ready: 0, deferred: 0, held: 0 };
      const dueAt: number[] = [];
      for (const { seq: mailing, held, queued: owed, since } of underWay.all()) {
        if (held !== 0) {
          figures.held += owed;
          continue;
        }
        const due = { mailing, at: Number.MIN_SAFE_INTEGER, seq: 0, until: now };
        const retries = yield* countOf(due);
        const later = { mailing, at: now, seq: Number.MAX_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER };
        const deferred = yield* countOf(later);
        figures.deferred += deferred;
        figures.ready += owed - deferred;
        const firstAt = first.get(due)?.at ?? null;
        if (firstAt !== null) dueAt.push(firstAt);
        if (owed > deferred + retries) dueAt.push(since);
      }
      return { ...figures, oldestDueAt: dueAt.length === 0 ? null : Math.min(...dueAt) };
    },
  };
}
