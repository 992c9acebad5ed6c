import type { Database } from "bun:sqlite";
import type { RetryPosition } from "#deliveries/ledger.ts";
import { RETRY_AHEAD_MAX_MS } from "#deliveries/sender/retry-times.ts";
import type { LedgerStore, Wanted } from "#deliveries/store.ts";
import { owedMessage, withPeople } from "#storage/common/ledger/owed-message.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";
import { BARRING_JOINS, STATUS_THERE, type BarringRow } from "#storage/sqlite/ledger/moves/ledger-rows.ts";
import { messagePeople } from "./message-values.ts";

type OwedRow = Row<typeof deliveries, "address" | "attempts" | "firstAttemptAt" | "nextAttemptAt"> &
  Row<typeof mailings, "kind"> &
  BarringRow & { number: Value<typeof deliveries, "seq"> };

/** The last row that was looked at, and how many were. */
type ReachedRow = {
  n: number;
  number: Value<typeof deliveries, "seq">;
  at: Value<typeof deliveries, "nextAttemptAt">;
};

/** How many rows one reading looks at if only some domains are wanted: about two milliseconds. */
const LOOKED_AT = 1_000;

/** Rows that were not deferred, after a position. */
const FRESH = {
  where: "next_attempt_at IS NULL AND seq > $number",
  order: "seq",
};
/** Deferred rows in a range of times, after a position. */
const DEFERRED = {
  where: "next_attempt_at IS NOT NULL AND next_attempt_at <= $to AND (next_attempt_at, seq) > ($at, $number)",
  order: "next_attempt_at, seq",
};
type Range = typeof FRESH;

type Between = { mailing: number; number: number; at?: number; to?: number };

/** The messages that are owed, and when the next one is due again. */
export function owedReads(
  sqlite: Database,
  sendable: () => number[],
): Pick<LedgerStore, "owed" | "nextRetryAt"> {
  const fresh = reading(sqlite, FRESH);
  const deferred = reading(sqlite, DEFERRED);
  const peopleOf = messagePeople(sqlite);
  const nextRetryOf = sqlite.query<{ at: number | null }, [number, number]>(
    `SELECT min(next_attempt_at) AS at FROM deliveries
     WHERE mailing = ? AND state = 'queued' AND next_attempt_at IS NOT NULL AND next_attempt_at > ?`,
  );

  return {
    async owed(mailing, from, now, wanted) {
      const due = deferred({ mailing, ...from.retries, to: now }, wanted);
      const ahead = { mailing, at: now + RETRY_AHEAD_MAX_MS, number: Number.MAX_SAFE_INTEGER };
      const far = deferred({ ...ahead, to: Number.MAX_SAFE_INTEGER }, wanted);
      const { rows, last, isEnd } = fresh({ mailing, number: from.fresh }, wanted);
      const messages = [...due.rows, ...far.rows, ...rows]
        .filter(({ number }) => !wanted.except.has(number))
        .map((row) => owedMessage({ ...row, domainBlocked: row.domainBlocked === 1 }, now));
      return {
        messages: wanted.withPeople
          ? withPeople(messages, peopleOf(messages.map(({ number }) => number)))
          : messages,
        through: { retries: due.last ?? from.retries, fresh: last?.number ?? from.fresh },
        isEnd: due.isEnd && isEnd,
      };
    },
    async nextRetryAt(after) {
      const times = sendable().flatMap((number) => nextRetryOf.get(number, after)?.at ?? []);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}

type Read = { readonly rows: OwedRow[]; readonly last: RetryPosition | null; readonly isEnd: boolean };

/** Reads the rows of a range: all of them, or the wanted ones among the next `LOOKED_AT`. */
function reading(sqlite: Database, { where, order }: Range) {
  const owed = `SELECT d.seq AS number, d.address, d.attempts, d.first_attempt_at AS firstAttemptAt,
      d.next_attempt_at AS nextAttemptAt, m.kind, ${STATUS_THERE}, s.reason AS suppression, b.domain IS NOT NULL AS domainBlocked`;
  const range = `FROM deliveries WHERE mailing = $mailing AND state = 'queued' AND ${where} ORDER BY ${order}`;
  const ordered = order.replaceAll(/\w+/g, "d.$&");
  const page = (numbers: string): string =>
    `${owed} FROM (${numbers}) page CROSS JOIN deliveries d ON d.seq = page.seq JOIN mailings m ON m.seq = d.mailing
     ${BARRING_JOINS} ORDER BY ${ordered}`;
  const looked = `SELECT seq, address, next_attempt_at AS at ${range} LIMIT ${LOOKED_AT}`;
  const all = sqlite.query<OwedRow, Between & { limit: number }>(page(`SELECT seq ${range} LIMIT $limit`));
  const chosen = sqlite.query<OwedRow, Between & { limit: number; domains: string; isIn: number }>(
    page(
      `SELECT seq FROM (${looked})
       WHERE (substr(address, instr(address, '@') + 1) IN (SELECT value FROM json_each($domains))) = $isIn LIMIT $limit`,
    ),
  );
  const reached = sqlite.query<ReachedRow, Between>(
    `SELECT n, seq AS number, at FROM (SELECT count(*) OVER () AS n, row_number() OVER () AS i, seq, at FROM (${looked}))
     WHERE i = n`,
  );

  return (between: Between, { limit, who, domains }: Wanted): Read => {
    const isChosen = who === "only" || domains.length > 0;
    const rows = isChosen
      ? chosen.all({ ...between, limit, domains: JSON.stringify(domains), isIn: who === "only" ? 1 : 0 })
      : all.all({ ...between, limit });
    const last = rows.at(-1);
    const position = last === undefined ? null : { number: last.number, at: last.nextAttemptAt ?? 0 };
    if (!isChosen || rows.length === limit) return { rows, last: position, isEnd: rows.length < limit };
    const end = reached.get(between);
    if (end === null) return { rows, last: position, isEnd: true };
    return { rows, last: { number: end.number, at: end.at ?? 0 }, isEnd: end.n < LOOKED_AT };
  };
}
