import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openSqlite, type SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import {
  afterLongReads,
  EVENTS_OF_PIECE,
  LongRead,
  readToEnd,
  type EventPiece,
  type Summing,
} from "#storage/sqlite/events/event-sums.ts";
import { seededRandom } from "../../support/common/dice.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";

const EVENTS = 9_000;
/** The last piece may be from the index and from the log. */
const PIECE_MAX = 4_100;
const [BUSY, QUIET] = [1, 2];

let home: ReturnType<typeof temporaryDirectory>;
let database: SqliteDatabase;
/** How many events each piece had. */
let pieces: number[];
let counting: Summing<number>;

beforeEach(() => {
  home = temporaryDirectory();
  database = openSqlite(home.path, manualClock(), seededRandom(1));
  const { sqlite } = database;
  sqlite.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
  for (const contact of [BUSY, QUIET])
    sqlite.run(
      `INSERT INTO contacts (seq, id, workspace, email, first_name, last_name, status, search, created_at)
       VALUES (${contact}, 'con_${contact}', 1, '${contact}@example.com', '', '', 'PENDING', '', 1)`,
    );
  record(BUSY, EVENTS);
  record(QUIET, 3);
  pieces = [];
  const read = sqlite.query<{ n: number; cents: number }, EventPiece>(
    `SELECT count(*) AS n, coalesce(sum(own.value_cents), 0) AS cents FROM ${EVENTS_OF_PIECE} AS own`,
  );
  counting = {
    key: "cents",
    nothing: 0,
    add(sum, piece) {
      const { n, cents } = read.get(piece)!;
      pieces.push(n);
      return sum + cents;
    },
  };
});
afterEach(async () => {
  await database.close();
  home.remove();
});

/** Events worth a cent each. */
function record(contact: number, n: number): void {
  database.sqlite.run(
    `WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${n})
     INSERT INTO events (id, workspace, name, contact, value_cents, currency, properties, created_at)
     SELECT 'ev_' || lower(hex(randomblob(9))), 1, 'seen', ${contact}, 1, 'EUR', '{}', n FROM g`,
  );
}

/** The index by contact has the first `through` events of the log, and begins to have more. */
function indexed(through: number): void {
  database.sqlite.run(
    `INSERT OR IGNORE INTO contact_events SELECT contact, seq, name, value_cents FROM events WHERE seq <= ${through + 700}`,
  );
  database.sqlite.run(`UPDATE event_index SET through = ${through}`);
}

const sumOf = (contact: number) => database.eventSums.of(contact, counting);
const whole = (contact: number) => afterLongReads(() => sumOf(contact));
function longRead(ask: () => unknown): LongRead {
  try {
    ask();
  } catch (error) {
    if (error instanceof LongRead) return error;
    throw error;
  }
  throw new Error("was read at once");
}

describe.each([
  ["none of them are", 0],
  ["some are", 5_000],
  ["all are", EVENTS],
])("the events of a contact, where the index has them: %s", (_, through) => {
  beforeEach(() => indexed(through));

  test("few are read at once, and nothing is kept of them", () => {
    expect(sumOf(QUIET)).toBe(3);
    record(QUIET, 4);
    expect(sumOf(QUIET)).toBe(7);
    expect(pieces).toEqual([3, 7]);
  });

  test("many are read a piece at a time, with a turn of the event loop between", async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await whole(BUSY)).toBe(EVENTS);
    isOver = true;
    expect(Math.max(...pieces)).toBeLessThan(PIECE_MAX);
    expect(pieces.reduce((sum, n) => sum + n, 0)).toBe(EVENTS);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  test("what was read is kept: only what came after is read, whatever the index has by then", async () => {
    await whole(BUSY);
    pieces = [];
    record(BUSY, 100);
    indexed(EVENTS);
    expect(sumOf(BUSY)).toBe(EVENTS + 100);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]).toBeLessThan(PIECE_MAX);
    record(BUSY, 5_000);
    expect(await whole(BUSY)).toBe(EVENTS + 5_100);
  });
});

test("an open write throws instead of reading on; after the read it counts its own events, and an undone one leaves none", async () => {
  const { sqlite } = database;
  const inWrite = (work: () => void) => sqlite.transaction(work)();
  const undone = new Error("undone");
  let owed: LongRead | null = null;
  inWrite(() => void (owed = longRead(() => sumOf(BUSY))));
  expect(pieces).toEqual([]);
  await readToEnd(owed!);
  const undo = () =>
    inWrite(() => {
      record(BUSY, 10);
      expect(sumOf(BUSY)).toBe(EVENTS + 10);
      throw undone;
    });
  expect(undo).toThrow(undone);
  expect(sumOf(BUSY)).toBe(EVENTS);
  inWrite(() => {
    record(BUSY, 10);
    expect(sumOf(BUSY)).toBe(EVENTS + 10);
  });
  expect(sumOf(BUSY)).toBe(EVENTS + 10);
});

test("what is asked in another way is summed up anew, and of the kept sums only the latest stay", async () => {
  await whole(BUSY);
  const asked = (key: string) => database.eventSums.of(BUSY, { ...counting, key });
  expect(longRead(() => asked("other"))).toBeInstanceOf(LongRead);
  for (let i = 0; i < 100; i++) await afterLongReads(() => asked(`other ${i}`));
  expect(longRead(() => sumOf(BUSY))).toBeInstanceOf(LongRead);
  expect(asked("other 99")).toBe(EVENTS);
});
