import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { Fenced, Moved, WentBack } from "#core/errors/fenced.ts";
import { FRONT } from "#deliveries/ledger.ts";
import { createLog } from "#log.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { databaseRecord } from "#storage/postgres/run/database-record.ts";
import { clockWatch } from "#storage/postgres/run/heart-watches.ts";
import { startHeart, type Heart } from "#storage/postgres/run/heart.ts";
import { takeOver } from "#storage/postgres/run/takeover.ts";
import { MigrationError } from "#storage/common/engine/migrations.ts";
import { NUMBERS_LEFT_OUT } from "#storage/common/engine/takeover.ts";
import { SILENT_LOG } from "../../../support/common/silent-log.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { temporaryDirectory } from "../../../support/server/postrider.ts";
import { claimDot, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { manualClock } from "../../../support/common/manual-clock.ts";
import {
  copyOf,
  lacksPostgres,
  migratedDatabase,
  type TestDatabase,
} from "../../../support/storage/postgres.ts";
import { eventually } from "../../../support/common/eventually.ts";

const NOW = 1_800_000_000_000;
const WANTED = { limit: 100, who: "all", domains: [], except: new Set<number>(), withPeople: false } as const;

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** The data directories of the nodes. */
const homes = temporaryDirectory();

/** A process that sends, with a heart that beats when its clock is moved on. */
async function startNode(
  url: string,
  trustsFailover = false,
  { clock = manualClock(), log = SILENT_LOG } = {},
) {
  const record = databaseRecord(join(mkdtempSync(join(homes.path, "node-")), "database.json"));
  const database = await openPostgres(url, { clock: systemClock, random: seededRandom(1) });
  const own = ownNode(clock, { name: "test", version: "0" });
  const nodes = registry(database, own, clock);
  const { seen, ...takeover } = await takeOver(database, nodes, NOW, { record, trustsFailover });
  const heart = startHeart({ database, registry: nodes, clock, log, record, seen });
  return { database, clock, own, nodes, heart, record, takeover, ledger: ledgerStore(database, own, clock) };
}

describe.skipIf(await lacksPostgres())("the life of a node", () => {
  let home: TestDatabase;
  let beside: SQL;
  const open: { database: PostgresDatabase; heart: Heart }[] = [];
  const start = async () => {
    const node = await startNode(home.url);
    open.push(node);
    return node;
  };
  const opened = {
    run: async (statement: string) => void (await beside.unsafe(statement)),
    values: async (statement: string) =>
      (await beside.unsafe(statement).values()).map(([first]: unknown[]) => first),
  };
  const make = (prefix: string, people: number) =>
    makeMailing({ engine: { name: "PostgreSQL" }, opened }, { prefix, people });

  beforeAll(async () => {
    home = await migratedDatabase();
    beside = new SQL({ url: home.url, max: 1 });
    await opened.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
  });
  afterAll(async () => {
    await Promise.all([beside.close(), ...open.map(({ database }) => database.close())]);
    await home.drop();
    homes.remove();
  });

  /**
   * Their clocks go on until it is so. Behind each step they wait for an answer on the connection that a node watches the
   * database with: otherwise a minute of theirs would be over before a busy database has answered.
   */
  const beatingUntil = (holds: () => boolean, ...nodes: readonly Awaited<ReturnType<typeof start>>[]) =>
    eventually(async () => {
      for (const { clock } of nodes) clock.advance(50);
      const answers = nodes.map(({ database }) => database.watch.read(({ row }) => row("SELECT")));
      await Promise.allSettled(answers);
      return holds();
    });

  test("nodes share what is limited, and the oldest has the rest", async () => {
    const [a, b] = [await start(), await start()];
    // A node that joins knows the others before its first beat: until then it must not take the whole limit.
    expect(b.own.peers).toEqual({ nodes: 2, older: 1 });
    await beatingUntil(() => [a, b].every(({ own }) => own.peers.nodes === 2), a, b);
    expect([a, b].map(({ own }) => own.share(11))).toEqual([6, 5]);
    expect([a, b].map(({ own }) => own.share(1))).toEqual([1, 0]);
    await a.heart.stop();
    await beatingUntil(() => b.own.peers.nodes === 1, b);
    expect(b.own.share(11)).toBe(11);
    await b.heart.stop();
  });

  test("a node that slept over the answer says nothing of its clock", () => {
    const lines: string[] = [];
    const log = createLog({
      level: "warn",
      format: "json",
      clock: systemClock,
      write: (line) => void lines.push(line),
    });
    const clock = manualClock();
    const watch = clockWatch(clock, log);
    const [askedAt, askedAtMs] = [clock.now(), clock.monotonicMs()];
    clock.advance(60_000);
    watch(askedAt, askedAtMs);
    expect(lines).toEqual([]);
    watch(askedAt, clock.monotonicMs());
    expect(lines).toHaveLength(1);
  });

  test("a node says once that its clock is not the database's, and not while they agree", async () => {
    const lines: string[] = [];
    const write = (line: string): void => {
      if (line.includes("the clock of this machine")) lines.push(line);
    };
    const log = createLog({ level: "warn", format: "json", clock: systemClock, write });
    const aheadMs = 3 * 60 * 60_000;
    let apartMs = 0;
    const hands = manualClock();
    const clock = { ...hands, now: () => systemClock.now() + apartMs };
    const node = await startNode(home.url, false, { clock, log });
    open.push(node);
    const { nodes } = node;
    const { meet } = nodes;
    let beaten = 0;
    Object.assign(nodes, { meet: () => meet().finally(() => beaten++) });
    // What a beat says, it has said when the next one is there.
    const beats = (count: number): Promise<void> => {
      const enough = beaten + count;
      return beatingUntil(() => beaten >= enough, node);
    };
    await beats(2);
    expect(lines).toEqual([]);
    apartMs = aheadMs;
    await beats(4);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "warn", seconds: expect.closeTo(10_800, -1) }),
    ]);
    apartMs = 0;
    await beats(3);
    apartMs = -aheadMs;
    await beats(3);
    expect(lines).toHaveLength(2);
    await node.heart.stop();
  });

  test("a node whose beat waits for its answer says so meanwhile, and once when it is over", async () => {
    const lines: string[] = [];
    const write = (line: string): void => {
      const { message } = JSON.parse(line) as { message: string };
      if (message.includes("in time")) lines.push(message);
    };
    const log = createLog({ level: "warn", format: "json", clock: systemClock, write });
    const node = await startNode(home.url, false, { log });
    open.push(node);
    await beside.begin(async (tx) => {
      await tx.unsafe("SELECT FROM node_beats FOR UPDATE");
      await beatingUntil(() => lines.length > 0, node);
    });
    const since = node.clock.monotonicMs();
    await beatingUntil(() => lines.length > 1 && node.clock.monotonicMs() > since + 60_000, node);
    const said = [
      "the database does not answer in time: nothing is sent until it does",
      "the database did not answer in time: nothing was sent until it did",
    ];
    expect(lines.slice(0, 2)).toEqual(said);
    // On a busy machine it may be late once more, and that may be found only when it is over.
    const isTold = lines.every((line, at) => line === said[1] || lines[at + 1] === said[1]);
    expect({ isTold, lines }).toEqual({ isTold: true, lines });
    await node.heart.stop();
  });

  test("a node that leaves frees what it took at once", async () => {
    const [a, b] = [await start(), await start()];
    const { mailing, messages } = await make("leave", 6);
    const taken = async ({ ledger }: typeof a) =>
      (await ledger.owed(mailing, FRONT, NOW, WANTED)).messages.map(({ number }) => number);
    expect(await taken(a)).toEqual([...messages]);
    expect(await taken(b)).toEqual([]);
    await a.heart.stop();
    expect(await taken(b)).toEqual([...messages]);
    await b.heart.stop();
  });

  test("what another node left of a list that it was removing is removed: at the start, and by those that live", async () => {
    const leave = async (id: string) => {
      await opened.run(`INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at)
        SELECT '${id}' || n, 1, n || '@${id}', '', '', '{}', 'SUBSCRIBED', '', 1 FROM generate_series(1, 2100) AS n`);
      await opened.run(`INSERT INTO lists (id, workspace, name, search, created_at)
        VALUES ('removed:' || gen_random_uuid() || ':${id}', 1, 'L', 'l', 1), ('there_${id}', 1, 'L', 'l', 1)`);
      await opened.run(`INSERT INTO list_members SELECT l.seq, c.seq, c.status, 1 FROM lists AS l, contacts AS c
        WHERE l.id LIKE '%${id}' AND c.email LIKE '%@${id}'`);
    };
    const left = () =>
      opened.values(
        "SELECT l.id FROM list_members AS m JOIN lists AS l ON l.seq = m.list GROUP BY l.id ORDER BY 1",
      );
    const gone = async (...there: string[]) =>
      expect([await left(), await opened.values("SELECT id FROM lists ORDER BY id")]).toEqual([there, there]);
    await leave("one");
    const node = await start();
    const removesBy = (stepMs: number, id: string) =>
      eventually(async () => {
        await beatingUntil(() => true, node);
        node.clock.advance(stepMs);
        return (await opened.values(`SELECT id FROM lists WHERE id LIKE 'removed:%${id}'`)).length === 0;
      });
    await removesBy(1, "one");
    await gone("there_one");
    await leave("two");
    await removesBy(10_000, "two");
    await gone("there_one", "there_two");
    await node.heart.stop();
  });

  test("a node that was fenced is told so by its next beat", async () => {
    const [lost, other] = [await start(), await start()];
    await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${numberOf(lost.own)}`);
    await other.ledger.sweep(NOW);
    let ended: Error | null = null;
    void lost.heart.lost.then((error) => (ended = error));
    await beatingUntil(() => ended !== null, lost);
    expect(ended).toBeInstanceOf(Fenced);
    await Promise.all([lost.heart.stop(), other.heart.stop()]);
  });

  test("a node whose round finds that it was fenced ends, without waiting for its beat", async () => {
    const [lost, other] = [await start(), await start()];
    const { messages } = await make("round", 1);
    await opened.run(`UPDATE node_beats SET until = 0 WHERE node = ${numberOf(lost.own)}`);
    await other.ledger.sweep(NOW);
    const claimed = claimDot(lost.ledger, messages[0]!, numberOf(lost.own), NOW);
    expect(await failureOf(claimed)).toBeInstanceOf(Fenced);
    expect(await lost.heart.lost).toBeInstanceOf(Fenced);
    await Promise.all([lost.heart.stop(), other.heart.stop()]);
  });

  test("a node sends nothing from a PostgreSQL that took over, also before its next beat", async () => {
    const node = await start();
    const { messages } = await make("timeline", 1);
    node.own.joined(numberOf(node.own), node.clock.monotonicMs(), "000000FF");
    const claimed = claimDot(node.ledger, messages[0]!, numberOf(node.own), NOW);
    expect(await failureOf(claimed)).toBeInstanceOf(Moved);
    expect(await opened.values(`SELECT state FROM deliveries WHERE seq = ${messages[0]}`)).toEqual([
      "queued",
    ]);
    expect(await node.heart.lost).toBeInstanceOf(Moved);
    await node.heart.stop();
  });

  test("only a fail-over that is trusted, was synchronous and is young lets sends go on", async () => {
    await make("trusted", 1);
    const keptOrigin = async () =>
      JSON.parse((await opened.values("SELECT origin FROM instance"))[0] as string);
    const heldAfter = async (trusts: boolean, changed: object, beats = "until = until + 3600000") => {
      await opened.run("UPDATE mailings SET held = 0");
      const origin = { ...(await keptOrigin()), timeline: "000000AA", isSynchronous: true, ...changed };
      await beside.unsafe("UPDATE instance SET origin = $1", [JSON.stringify(origin)]);
      await opened.run(`UPDATE node_beats SET ${beats}`);
      const { takeover, heart, database } = await startNode(home.url, trusts);
      await heart.stop();
      await database.close();
      expect((await keptOrigin()).timeline).not.toBe("000000AA");
      return {
        held: takeover.held > 0,
        why: takeover.holdReason !== null,
        trusted: takeover.trusted !== null,
      };
    };
    const [all, none] = [
      { held: true, why: true, trusted: false },
      { held: false, why: false, trusted: true },
    ];
    expect(await heldAfter(true, {})).toEqual(none);
    expect(await heldAfter(false, {})).toEqual(all);
    expect(await heldAfter(true, { isSynchronous: false })).toEqual(all);
    expect(await heldAfter(true, { isSynchronous: undefined })).toEqual(all);
    expect(await heldAfter(true, { system: "1" })).toEqual(all);
    expect(await heldAfter(true, { table: 1 })).toEqual(all);
    expect(await heldAfter(true, {}, "until = 0")).toEqual(all);
  });

  test("a node goes on beside a newer schema, and one of its version does not start there any more", async () => {
    const node = await start();
    const { messages } = await make("newer", 1);
    await opened.run(
      "CREATE TABLE later (n int8); ALTER TABLE nodes ADD COLUMN later text NOT NULL DEFAULT ''",
    );
    await opened.run("INSERT INTO schema_migrations VALUES ('9999_later', 'x', 1)");
    try {
      const failure = await failureOf(startNode(home.url));
      expect(failure).toBeInstanceOf(MigrationError);
      expect(String(failure)).toContain("migration 9999_later is unknown here");
      expect(String(failure).split("\n")).toHaveLength(1);
      await node.nodes.beat(NOW);
      expect(await claimDot(node.ledger, messages[0]!, numberOf(node.own), NOW)).toBe("dot");
    } finally {
      await opened.run("DELETE FROM schema_migrations WHERE name = '9999_later'");
      await opened.run("DROP TABLE later; ALTER TABLE nodes DROP COLUMN later");
      await node.heart.stop();
    }
  });

  test("a node writes down each number that it sees, and ends where a snapshot gives an older one", async () => {
    const node = await start();
    const seen = async () => (await node.record.read())!.number;
    const first = await seen();
    expect(first).toBe(numberOf(node.own));
    let newest = first;
    void eventually(async () => (newest = await seen()) > first + 1);
    await beatingUntil(() => newest > first + 1, node);
    await opened.run(`SELECT setval(pg_get_serial_sequence('nodes', 'id'), ${first})`);
    let ended: Error | null = null;
    void node.heart.lost.then((error) => (ended = error));
    await beatingUntil(() => ended !== null, node);
    expect(ended).toBeInstanceOf(WentBack);
    expect(await seen()).toBeGreaterThan(first);
    await node.heart.stop();
    await opened.run(`SELECT setval(pg_get_serial_sequence('nodes', 'id'), ${newest + 1_000})`);
  });

  test("a copy of the database is held once, and a node that finds itself in one ends", async () => {
    const { mailing } = await make("copy", 1);
    const first = await start();
    expect(first.takeover).toMatchObject({ held: 0, holdReason: null });
    await opened.run(
      "INSERT INTO settings (workspace, key, value) VALUES (1, 'bounceMailbox', 'pop3s://u:p@h')",
    );
    await first.heart.stop();
    await Promise.all([beside.close(), ...open.splice(0).map(({ database }) => database.close())]);
    const copy = await copyOf(home);
    const node = await startNode(copy.url);
    expect(node.takeover.holdReason).toBe("the database was restored from a dump, or copied");
    expect(node.takeover.held).toBeGreaterThan(0);
    const nextNumber = "SELECT nextval(pg_get_serial_sequence('deliveries', 'seq')) AS n";
    expect((await node.database.read(({ row }) => row<{ n: number }>(nextNumber)))?.n).toBeGreaterThan(
      NUMBERS_LEFT_OUT,
    );
    expect(await node.ledger.progress(mailing)).toMatchObject({ held: true });
    const mailboxes = "SELECT key FROM settings WHERE key LIKE 'bounceMailbox%'";
    const kept = await node.database.read(({ rows }) => rows<{ key: string }>(mailboxes));
    expect(kept).toEqual([{ key: "bounceMailboxOfCopy" }]);
    const next = await startNode(copy.url);
    expect(next.takeover).toMatchObject({ held: 0, holdReason: null });

    let ended: Error | null = null;
    void node.heart.lost.then((error) => (ended = error));
    await node.database.write((tx) =>
      tx.run(`UPDATE instance SET origin = replace(origin, '"system":"', '"system":"9')`),
    );
    await eventually(() => {
      node.clock.advance(50);
      return ended !== null;
    });
    expect(String(ended)).toContain("must start anew");
    await Promise.all([node.heart.stop(), next.heart.stop()]);
    await Promise.all([node.database.close(), next.database.close()]);
    await copy.drop();
    beside = new SQL({ url: home.url, max: 1 });
  });
});

const numberOf = ({ number }: OwnNode): number => {
  if (number === null) throw new Error("the node has not joined");
  return number;
};
