import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chain,
  countRuns,
  enrollmentsOf,
  live,
  pass,
  settled,
} from "../../support/automations/automations.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { isPostgres, needsSqlite, rowsFrom, writeTo } from "../../support/server/services.ts";
import { refusing, trap } from "../../support/storage/traps.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

const lacksSqlite = needsSqlite(
  "it reads SQLite's query plan; storage/engines/automations/runs.test.ts is about PostgreSQL's",
);

/** More than one slice has rows for. */
const MANY = 1_200;

let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const FLOW = chain(
  { trigger: "new_subscriber" },
  ["w", "wait", { amount: 1, unit: "hours" }],
  ["t", "action", { action: "add_tag", tag: "seen" }],
);

/** This many runs of an automation stand at its wait, which ends in an hour, or up to a second earlier. */
async function makeRuns(automation: number, count: number): Promise<void> {
  await writeTo(
    api,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_${automation}_' || i, workspace, 'r' || i || '@w${automation}.example.com', '', '', 'SUBSCRIBED', '', 0
     FROM n CROSS JOIN automations WHERE seq = ${automation}`,
  );
  const isWaiting = isPostgres ? "true" : "1";
  await writeTo(
    api,
    `INSERT INTO enrollments (id, automation, contact, depth, status, node, waiting, steps, next_run_at, enrolled_at)
     SELECT 'enr_' || c.seq, ${automation}, c.seq, 0, 'ACTIVE', 'w', ${isWaiting}, 1, ${clock.now() + HOUR} - c.seq % 1000, 0
     FROM contacts c WHERE c.id LIKE 'ct_${automation}_%'`,
  );
  await countRuns(api);
}

/** The order in which runs end from now on. */
async function watchEnds(): Promise<() => { automation: number; due: number }[]> {
  const n = isPostgres ? "n int8 GENERATED ALWAYS AS IDENTITY" : "n INTEGER PRIMARY KEY";
  await writeTo(api, `CREATE TABLE ends (${n}, automation int8, due int8)`);
  await trap(api, {
    at: "AFTER UPDATE OF status ON enrollments",
    act: "INSERT INTO ends (automation, due) VALUES (new.automation, old.next_run_at)",
  });
  return () => rowsFrom(api, "SELECT automation, due FROM ends ORDER BY n");
}

describe("when very many runs fall due at once", () => {
  test("each is worked on once, what was due first comes first, and no workspace waits for another's to end", async () => {
    const { workspaces } = api.services;
    await live(api, FLOW);
    const other = await workspaces.create("Other");
    const call = (method: string, path: string, body: object) =>
      fetch(`${api.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${other.key}` },
        body: JSON.stringify(body),
      }).then((answer) => answer.json() as Promise<any>);
    const { id } = (await call("POST", "/automations", {})).data;
    await call("PATCH", `/automations/${id}`, { flowJson: FLOW, status: "LIVE" });
    await makeRuns(1, MANY);
    await makeRuns(2, 3);
    const ends = await watchEnds();
    await pass(api, clock, HOUR);

    const ended = ends();
    expect(ended.length).toBe(MANY + 3);
    const first = ended.filter(({ automation }) => automation === 1).map(({ due }) => due);
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    const lastOfOther = ended.findLastIndex(({ automation }) => automation === 2);
    expect(lastOfOther).toBeLessThan(MANY);
    expect(
      rowsFrom(api, "SELECT count(*) AS n, max(steps) AS steps FROM enrollments WHERE status = 'COMPLETED'"),
    ).toEqual([{ n: MANY + 3, steps: 2 }]);
  });

  test.skipIf(lacksSqlite)("what is due is found in its order: nothing is sorted", () => {
    const plan = api.services.database.sqlite
      .query<{ detail: string }, []>(
        `EXPLAIN QUERY PLAN SELECT e.seq FROM enrollments AS e CROSS JOIN contacts AS c ON c.seq = e.contact
         WHERE e.automation = 1 AND e.status = 'ACTIVE' AND e.next_run_at <= 5 ORDER BY e.next_run_at, e.seq LIMIT 32`,
      )
      .all()
      .map(({ detail }) => detail);
    expect(plan).toEqual([
      "SEARCH e USING INDEX enrollments_due (automation=? AND next_run_at<?)",
      "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
  });

  test("and one in a hundred throws, the others all get on, and those are FAILED after three tries", async () => {
    const id = await live(api, FLOW);
    await makeRuns(1, 400);
    const release = await refusing(api, "BEFORE UPDATE OF tags ON contacts", "poison", "old.seq % 100 = 0");
    await pass(api, clock, HOUR);
    const counts = () =>
      rowsFrom(api, "SELECT status, count(*) AS n FROM enrollments GROUP BY status ORDER BY status");
    expect(counts()).toEqual([
      { status: "ACTIVE", n: 4 },
      { status: "COMPLETED", n: 396 },
    ]);
    for (let i = 0; i < 3; i++) await pass(api, clock, 2 * MINUTE);
    expect(counts()).toEqual([
      { status: "COMPLETED", n: 396 },
      { status: "FAILED", n: 4 },
    ]);
    await release();
    await person(api, "ada@example.com");
    await settled(api, clock);
    expect((await enrollmentsOf(api, id))[0].status).toBe("ACTIVE");
  });
});
