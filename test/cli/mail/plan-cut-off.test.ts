/** A real server that resumes a long plan, and is asked to end by a real signal. */
import { expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { Database } from "bun:sqlite";
import { callApi } from "../../support/server/api.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { keyOf, postrider, type RunningServer } from "../../support/server/postrider.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { addressesMailed } from "../../support/sending/sending.ts";

const READERS = 20;
/** They are on the list and passed by, because their domain is blocked. */
const BLOCKED = 2_000;

const at = freshHomes();

function inDatabase<T>(work: (sqlite: Database) => T): T {
  using sqlite = new Database(`${at.home}/postrider.db`);
  sqlite.run("PRAGMA busy_timeout = 60000");
  return work(sqlite);
}

/** Every row of a plan costs so much that the whole takes far longer than a signal on its way. */
const SLOW = [
  `CREATE VIEW long_work AS
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n`,
  "CREATE TRIGGER slow AFTER INSERT ON deliveries BEGIN SELECT count(*) FROM long_work; END",
];
const UNSLOW = ["DROP TRIGGER slow", "DROP VIEW long_work"];

const runAll = (statements: readonly string[]): void =>
  inDatabase((sqlite) => statements.forEach((sql) => sqlite.run(sql)));

const planNow = () =>
  inDatabase((sqlite) => ({
    phase: sqlite.query<{ phase: string }, []>("SELECT phase FROM mailings").get()?.phase,
    rows: sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM deliveries").get()!.n,
  }));

/** Onto the campaign's list, the only one. */
function addPeople(): void {
  const person = (address: string, count: number): string =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || ${address}, 1, ${address}, '', '', 'SUBSCRIBED', '', 0 FROM n`;
  runAll([
    "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'blocked.example', 0)",
    person("'r' || i || '@example.com'", READERS),
    person("'r' || i || '@blocked.example'", BLOCKED),
    "INSERT INTO list_members SELECT l.seq, 'SUBSCRIBED', c.seq, 0 FROM contacts c, lists l",
  ]);
}

test.skipIf(needsSqlite("PostgreSQL plans at once what SQLite plans in pieces"))(
  "SIGTERM does not wait for the end of a plan that is resumed; the next server sends to everybody once",
  async () => {
    const relay = scriptedSmtp();
    at.atEnd(() => relay.stop());
    const start = (): Promise<RunningServer> => at.start("--smtp-url", relay.url);

    const first = await start();
    const key = keyOf(first);
    const call = async ({ url }: RunningServer, method: string, path: string, body?: unknown) =>
      (await callApi(`${url}/api/v1${path}`, method, key, body)).body.data;
    const sender = ["fromEmail=news@example.com", "mailingAddress=1 Example Street"];
    await postrider(at.home, ["settings", "set", ...sender]);
    const { id: listId } = await call(first, "POST", "/lists", { name: "Newsletter" });
    const letter = { name: "A", subject: "A", body: "<p>A</p>", listId };
    const { id } = await call(first, "POST", "/campaigns", letter);
    addPeople();
    runAll(SLOW);
    call(first, "POST", `/campaigns/${id}/send`).catch(() => "cut off");
    while (planNow().rows === 0) await nextLoopTurn();
    await first.end("SIGKILL");
    const { phase, rows } = planNow();
    expect(phase).toBe("planning");

    const second = await start();
    expect(second.out()).not.toContain("HELD");
    expect(await second.end("SIGTERM")).toBe(0);
    const left = planNow();
    expect([left.phase, relay.accepted]).toEqual(["planning", []]);
    expect(left.rows).toBeGreaterThanOrEqual(rows);
    expect(left.rows).toBeLessThan(READERS + BLOCKED);

    runAll(UNSLOW);
    const third = await start();
    while ((await call(third, "GET", `/campaigns/${id}`)).status !== "SENT");
    expect(await third.end("SIGTERM")).toBe(0);
    expect(planNow().rows).toBe(READERS + BLOCKED);
    const mailed = addressesMailed({ relay });
    expect(mailed.toSorted()).toEqual(
      Array.from({ length: READERS }, (_, i) => `r${i + 1}@example.com`).toSorted(),
    );
  },
);
