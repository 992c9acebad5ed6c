/**
 * How a node takes owed messages. A plan has slices, and a node takes a free slice as a whole; deferred messages,
 * and those that no plan wrote, are taken one by one. Nobody waits for anybody. All this only keeps nodes from
 * doing the same work: which node has a message's dot is decided by the row alone (rounds.ts).
 */
import { present } from "#core/present.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import type { OwedPosition, RetryPosition } from "#deliveries/ledger.ts";
import { RETRY_AHEAD_MAX_MS } from "#deliveries/sender/retry-times.ts";
import type { LedgerStore, Wanted } from "#deliveries/store.ts";
import { owedMessage, withPeople } from "#storage/common/ledger/owed-message.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { deliveries, mailings, slices } from "#storage/postgres/schema/schema.ts";
import { messagePeople } from "#storage/postgres/ledger/message-values.ts";
import { isAlive, type OwnNode } from "./node.ts";
import type { TakenSlices } from "./taken-slices.ts";
import { BARRING_JOINS, STATUS_THERE, type BarringRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";

/** How many rows one reading looks at if only some domains are wanted. */
const LOOKED_AT = 1_000;

type LookedRow = { number: number; address: string; at: number };
type OwedRow = Row<typeof deliveries, "address" | "attempts" | "firstAttemptAt"> &
  Row<typeof mailings, "kind" | "isTest"> &
  BarringRow & { number: Value<typeof deliveries, "seq"> };

const TAKE_SLICE = `UPDATE slices SET node = $2 WHERE (mailing, n) = (
    SELECT mailing, n FROM slices WHERE mailing = $1 AND NOT done AND node IS NULL
    ORDER BY n LIMIT 1 FOR UPDATE SKIP LOCKED) AND ${isAlive("$2")} RETURNING lo`;
/** A message at its dot keeps its slice open; a deferred one has a row in `retries`. */
const CLOSE_SLICES = `UPDATE slices AS s SET done = true WHERE mailing = $1 AND node = $2 AND NOT done AND NOT EXISTS (
    SELECT FROM deliveries AS d WHERE d.mailing = s.mailing AND d.seq BETWEEN s.lo AND s.hi
      AND (d.state = 'dot' OR (d.state = 'queued' AND d.next_attempt_at IS NULL)))`;
const TAKE_RETRIES = `UPDATE retries SET node = $2 WHERE message = ANY(ARRAY(
    SELECT message FROM retries WHERE mailing = $1 AND node IS NULL AND (at <= $3 OR at > $4)
    ORDER BY at, message LIMIT ${LOOKED_AT} FOR UPDATE SKIP LOCKED)) AND ${isAlive("$2")} RETURNING at`;

/** A slice gives no more rows than asked for; otherwise all its remaining rows would be read each time. */
const FRESH = `SELECT d.seq AS number, d.address, 0 AS at FROM slices AS s CROSS JOIN LATERAL (
    SELECT seq, address FROM deliveries WHERE mailing = s.mailing AND seq BETWEEN s.lo AND s.hi
      AND state = 'queued' AND next_attempt_at IS NULL AND seq > $3 ORDER BY seq LIMIT $4) AS d
  WHERE s.mailing = $1 AND s.node = $2 AND NOT s.done AND s.hi > $3 ORDER BY d.seq LIMIT $4`;
const HAS_RETRIES = "SELECT EXISTS (SELECT FROM retries WHERE mailing = $1) AS found";
const DEFERRED = `SELECT r.message AS number, d.address, r.at FROM retries AS r JOIN deliveries AS d ON d.seq = r.message
  WHERE r.mailing = $1 AND r.node = $2 AND d.state = 'queued' AND r.at <= $5 AND (r.at, r.message) > ($4, $3)
  ORDER BY r.at, r.message LIMIT $6`;
/**
 * What the statements before it found may have moved since: another pause began, or its outcome is known. So it
 * asks again whether a message is owed now. The keys are passed separately too: a statement planned while the table
 * was small reads all of a large one.
 */
const OWED = `SELECT d.seq AS number, d.address, d.attempts, d.first_attempt_at, m.kind, m.is_test, ${STATUS_THERE},
    s.reason AS suppression, b.domain IS NOT NULL AS domain_blocked
  FROM unnest($1::int8[]) WITH ORDINALITY AS w (seq, n) JOIN deliveries AS d ON d.seq = w.seq
  JOIN mailings AS m ON m.seq = d.mailing ${BARRING_JOINS}
  WHERE d.seq = ANY($1::int8[]) AND d.state = 'queued'
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= $2 OR d.next_attempt_at > $3) ORDER BY w.n`;

/** The wanted rows of a range, and where the next reading continues. */
type Read = {
  readonly numbers: readonly number[];
  readonly last: LookedRow | null;
  readonly isEnd: boolean;
};

type Fresh = {
  readonly numbers: readonly number[];
  readonly through: number;
  readonly slices: number;
  readonly isEnd: boolean;
};

type Taken = {
  readonly slices: TakenSlices;
  readonly leftRetries: TakenSlices;
  /** How far any reader of each mailing came in its retries. What is taken behind that is noted; usually nothing is. */
  readonly reached: Map<number, number>;
};

type Place = { readonly mailing: number; readonly node: number };

/** The owed messages of the slices and retries that this node takes. */
export function owedReads(database: PostgresDatabase, own: OwnNode, taken: Taken): Pick<LedgerStore, "owed"> {
  const { read } = database;
  const retriesOf = retryReads(database, taken);

  return {
    async owed(mailing, from, now, wanted) {
      const place = { mailing, node: present(own.number, "node that has joined") };
      const { due, later, left } = await retriesOf(place, from, now, wanted);
      const fresh = await freshRows(database, place, from, wanted, taken.slices);
      const numbers = [...due.numbers, ...later.numbers, ...fresh.numbers];
      const messages = await read(async (session) => {
        const rows = await session.rows<OwedRow>(OWED, [
          // Not before this statement: what is no longer known by then has its outcome in the ledger.
          numbers.filter((number) => !wanted.except.has(number)),
          now,
          now + RETRY_AHEAD_MAX_MS,
        ]);
        const owed = rows.map((row) => owedMessage(row, now));
        if (!wanted.withPeople) return owed;
        return withPeople(
          owed,
          await messagePeople(
            session,
            owed.map(({ number }) => number),
          ),
        );
      });
      return {
        messages,
        through: {
          retries: due.last === null ? from.retries : { at: due.last.at, number: due.last.number },
          fresh: fresh.through,
          slices: fresh.slices,
          leftRetries: left,
        },
        isEnd: due.isEnd && fresh.isEnd,
      };
    },
  };
}

const NO_ROWS: Read = { numbers: [], last: null, isEnd: true };

/** `left`: the newest of the retries that this node had taken before this reading. Its own are taken in the same way. */
type Retries = { readonly due: Read; readonly later: Read; readonly left: number };

/**
 * Deferred rows that are due, or so far ahead that the clock must have been wrong. Most mailings have none. What is
 * taken may have been due before the position: then reading goes back there, and known rows are left out.
 */
function retryReads(database: PostgresDatabase, { leftRetries: left, reached }: Omit<Taken, "slices">) {
  const take = async ({ mailing, node }: Place, now: number, far: number): Promise<void> => {
    const rows = await database
      .write((tx) => tx.rows<{ at: number }>(TAKE_RETRIES, [mailing, node, now, far]))
      .catch((error: unknown) => {
        // Perhaps some were taken, and nobody knows which.
        left.note(mailing, 0);
        throw error;
      });
    const first = Math.min(...rows.map(({ at }) => at));
    if (first <= (reached.get(mailing) ?? 0)) left.note(mailing, first);
  };

  return async (place: Place, from: OwedPosition, now: number, wanted: Wanted): Promise<Retries> => {
    const { mailing } = place;
    const asked = await database.read(({ row }) => row<{ found: boolean }>(HAS_RETRIES, [mailing]));
    if (asked?.found !== true) {
      reached.delete(mailing);
      return { due: NO_ROWS, later: NO_ROWS, left: left.newest(mailing) };
    }
    const far = now + RETRY_AHEAD_MAX_MS;
    await take(place, now, far);
    const newest = left.newest(mailing);
    const first = left.firstSince(mailing, from.leftRetries ?? 0);
    const after = first !== null && first <= from.retries.at ? { at: first, number: 0 } : from.retries;
    const ahead = { at: far, number: Number.MAX_SAFE_INTEGER };
    const due = await deferred(database, place, { after, to: now }, wanted);
    reached.set(mailing, Math.max(reached.get(mailing) ?? 0, due.last?.at ?? 0));
    const later = await deferred(database, place, { after: ahead, to: Number.MAX_SAFE_INTEGER }, wanted);
    return { due, later, left: newest };
  };
}

async function deferred(
  { read }: PostgresDatabase,
  { mailing, node }: Place,
  { after, to }: { readonly after: RetryPosition; readonly to: number },
  wanted: Wanted,
): Promise<Read> {
  return await read((session) =>
    reading(wanted, (limit) => session.rows(DEFERRED, [mailing, node, after.number, after.at, to, limit])),
  );
}

/**
 * Rows of the slices that this node has, and of further slices while there are too few. A slice that another node
 * left may be before the position: then reading goes back there, and known rows are left out.
 */
async function freshRows(
  { read, write }: PostgresDatabase,
  { mailing, node }: Place,
  from: OwedPosition,
  wanted: Wanted,
  slices: TakenSlices,
): Promise<Fresh> {
  const first = slices.firstSince(mailing, from.slices ?? 0);
  let seen = slices.newest(mailing);
  let position = first === null ? from.fresh : Math.min(from.fresh, first - 1);
  const numbers: number[] = [];
  for (;;) {
    const left = { ...wanted, limit: wanted.limit - numbers.length };
    const found = await read((session) =>
      reading(left, (limit) => session.rows(FRESH, [mailing, node, position, limit])),
    );
    numbers.push(...found.numbers);
    position = found.last?.number ?? position;
    const soFar = { numbers, through: position, slices: seen };
    if (numbers.length >= wanted.limit || !found.isEnd) return { ...soFar, isEnd: false };
    const isNewest = slices.newest(mailing) === seen;
    const taken = await write((tx) => takeSlice(tx, mailing, node)).catch((error: unknown) => {
      // Perhaps one was taken, and nobody knows which.
      slices.note(mailing, 1);
      throw error;
    });
    if (taken === null) return { ...soFar, isEnd: true };
    const number = slices.note(mailing, taken.lo);
    if (isNewest) seen = number;
    position = Math.min(position, taken.lo - 1);
    if (numbers.length > 0 && position < from.fresh)
      return { numbers, through: position, slices: seen, isEnd: false };
  }
}

async function takeSlice(
  tx: Session,
  mailing: number,
  node: number,
): Promise<Row<typeof slices, "lo"> | null> {
  await tx.run(CLOSE_SLICES, [mailing, node]);
  return await tx.row<Row<typeof slices, "lo">>(TAKE_SLICE, [mailing, node]);
}

/** Reads the rows of a range: all of them, or the wanted ones among the next `LOOKED_AT`. */
async function reading(
  { limit, who, domains }: Wanted,
  look: (limit: number) => Promise<LookedRow[]>,
): Promise<Read> {
  const isChosen = who === "only" || domains.length > 0;
  const most = isChosen ? LOOKED_AT : limit;
  const looked = await look(most);
  const isIn = new Set(domains);
  const fitting = isChosen
    ? looked.filter(({ address }) => isIn.has(domainOf(address)) === (who === "only"))
    : looked;
  const rows = fitting.slice(0, limit);
  const isFull = rows.length === limit;
  return {
    numbers: rows.map(({ number }) => number),
    last: (isFull ? rows : looked).at(-1) ?? null,
    isEnd: !isFull && looked.length < most,
  };
}
