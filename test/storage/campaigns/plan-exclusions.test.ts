import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { cpSync } from "node:fs";
import { dirname } from "node:path";
import type { Completion, Plan } from "#campaigns/send/plan.ts";
import { sqliteSendingStores, sqliteStores } from "#app/sqlite-stores.ts";
import { systemClock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { systemRandom } from "#core/random.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";
import { ledgerFaults } from "../../support/storage/ledger-check.ts";
import { listOf, person } from "../../support/people/people.ts";

const MANY = 10_000;
/** As many rows as one turn of the event loop may change, besides the few of the plan itself. */
const ROWS_IN_A_TURN = 2_000;
const FEW_MORE = 50;
const NOW = 1_800_000_000_000;
const ADDRESSES = ["ada@example.com", "ken@example.com", "zoe@example.com"];
const EXCLUDED = [
  "ken@example.com",
  "joins-later@example.com",
  ...Array.from({ length: MANY }, (_, n) => `stranger-${n}@example.com`),
];

let api: TestApi;
let list = "";
let campaignId = "";
/** How many rows each turn of a long write has changed. */
let turns: number[] = [];
/** Called in the middle of a long write. */
let halfway: () => void = () => undefined;

const changesOf = (sqlite: Database): number =>
  present(sqlite.query<{ n: number }, []>("SELECT total_changes() AS n").get(), "changes").n;
const count = (sqlite: Database, table: string): number =>
  present(sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get(), "count").n;
const database = () => api.services.database;
const storeOf = () => sqliteSendingStores(api.services).plans;

/** The same slices, watched. */
const watched = <T>(slices: Slices<T>): Slices<T> =>
  function* (connection) {
    const work = slices(connection);
    for (let before = changesOf(connection); ;) {
      const slice = work.next();
      turns.push(changesOf(connection) - before);
      before = changesOf(connection);
      if (slice.done === true) return slice.value;
      if (turns.length === 3) halfway();
      yield;
    }
  };

beforeEach(async () => {
  api = await startApi();
  const people = [];
  for (const address of ADDRESSES) people.push((await person(api, address)).id);
  list = await listOf(api, "Newsletter", people);
  const draft = { name: "Spring", subject: "Spring", body: "<p>Spring</p>", listId: list };
  campaignId = (await api.call("POST", "/campaigns", draft)).body.data.id;
  [turns, halfway] = [[], () => undefined];
  const { longWrites } = database();
  const write = longWrites.write.bind(longWrites);
  spyOn(longWrites, "write").mockImplementation((slices) => write(watched(slices)));
});
afterEach(() => api.stop());

const begin = async (excludeEmails = EXCLUDED): Promise<Plan> =>
  (await storeOf().begin(
    api.workspaceId,
    campaignId,
    { excludeEmails, scheduledAt: null, overrideQuietHours: false },
    NOW,
  ))!;

async function walk(plan: Plan, plans = storeOf()): Promise<void> {
  for (let next = ""; next !== "end";) next = await plans.planNext(plan, 100);
}

const completion: Completion = {
  day: "2026-11-23",
  month: "2026-11",
  now: NOW,
  isChecked: () => true,
  check: () => null,
  freeze: ({ subject, html, list: to }) => ({ subject, html, list: to }) as any,
};

/** What a process that is killed now would leave, opened by the next one. */
function leftByKill() {
  const home = temporaryDirectory();
  cpSync(dirname(database().sqlite.filename), home.path, { recursive: true, force: true });
  const opened = openSqlite(home.path, systemClock, systemRandom);
  const stores = sqliteStores(opened);
  const close = async (): Promise<void> => {
    await opened.close();
    home.remove();
  };
  return { sqlite: opened.sqlite, stores, ...sqliteSendingStores({ database: opened, stores }), close };
}
type Left = ReturnType<typeof leftByKill>;

/** The next server takes it for a copy, and a person releases what it holds. */
async function release({ stores, plans, sqlite }: Left): Promise<void> {
  await stores.ledger.join(NOW, true);
  expect(sqlite.query("SELECT held <> 0 FROM mailings").values()).toEqual([[1]]);
  expect(await stores.campaigns.release(api.workspaceId, campaignId, NOW)).toBe("released");
  expect(await plans.unfinished()).toMatchObject([{ campaignId, state: { kind: "begun" } }]);
}

/** Short, and few: whatever else wants to write waits for all of them. */
function expectShortTurns(rows: number): void {
  expect(Math.max(...turns)).toBeLessThanOrEqual(ROWS_IN_A_TURN + FEW_MORE);
  expect(turns.length).toBeLessThanOrEqual(Math.ceil(rows / ROWS_IN_A_TURN) + 2);
  expect(turns.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(rows);
}

test("a plan that leaves out many begins in few short turns; killed in the middle, it was not begun", async () => {
  let left = null as Left | null;
  halfway = () => (left = leftByKill());
  await begin();
  expectShortTurns(EXCLUDED.length);
  expect(count(database().sqlite, "mailing_exclusions")).toBe(EXCLUDED.length);
  const { sqlite, close } = present(left, "what was left");
  expect([count(sqlite, "mailing_exclusions"), count(sqlite, "mailings")]).toEqual([0, 0]);
  await close();
});

test("it ends in few short turns; killed in the middle, it goes on, and mails to nobody who is left out", async () => {
  const plan = await begin();
  await walk(plan);
  turns = [];
  let left = null as Left | null;
  halfway = () => (left = leftByKill());
  expect(await storeOf().complete(plan, completion)).toBe("complete");
  expectShortTurns(EXCLUDED.length);
  expect(count(database().sqlite, "mailing_exclusions")).toBe(0);
  const { sqlite, plans, close } = present(left, "what was left");
  expect(sqlite.query("SELECT phase FROM mailings").values()).toEqual([["planning"]]);
  expect(count(sqlite, "mailing_exclusions")).toBe(EXCLUDED.length);
  // Somebody who is left out joins before it goes on.
  sqlite.exec(
    `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       VALUES ('con_later', 1, 'joins-later@example.com', '', '', 'SUBSCRIBED', '', 1);
     INSERT INTO list_members (list, status, contact, added_at)
       SELECT list, 'SUBSCRIBED', last_insert_rowid(), 1 FROM mailings`,
  );
  await walk(plan, plans);
  expect(await plans.complete(plan, completion)).toBe("complete");
  expect(sqlite.query("SELECT address, state FROM deliveries ORDER BY address").values()).toEqual([
    ["ada@example.com", "queued"],
    ["joins-later@example.com", "skipped"],
    ["ken@example.com", "skipped"],
    ["zoe@example.com", "queued"],
  ]);
  expect(count(sqlite, "mailing_exclusions")).toBe(0);
  expect(ledgerFaults(sqlite).filter((fault) => !/campaign/.test(fault))).toEqual([]);
  await close();
});

test("it is stopped in few short turns", async () => {
  const plan = await begin();
  await storeOf().planNext(plan, 100);
  turns = [];
  const { sendControl } = sqliteStores(database());
  expect(await sendControl.stop(api.workspaceId, campaignId, NOW)).toMatchObject({
    ok: true,
    value: { number: plan.number, campaignId },
  });
  expectShortTurns(EXCLUDED.length);
  expect(count(database().sqlite, "mailing_exclusions")).toBe(0);
  expect(await storeOf().planNext(plan, 100)).toBe("stopped");
});

test("it is stopped in short turns also while it begins, when nobody can read yet how many it leaves out", async () => {
  const { sendControl } = sqliteStores(database());
  let stopped: ReturnType<typeof sendControl.stop> | undefined;
  halfway = () => void (stopped ??= sendControl.stop(api.workspaceId, campaignId, NOW));
  const plan = await begin();
  expect(await stopped).toMatchObject({ ok: true, value: { number: plan.number } });
  expect(count(database().sqlite, "mailing_exclusions")).toBe(0);
  const { length } = EXCLUDED;
  expect(turns.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(2 * length);
  expect(Math.max(...turns)).toBeLessThanOrEqual(ROWS_IN_A_TURN + FEW_MORE);
});

test("it is taken back in few short turns; a copy of any moment mails to nobody who is left out, when it is released", async () => {
  const plan = await begin();
  await walk(plan);
  const plans = storeOf();
  await plans.giveUp(plan);
  const { sqlite } = database();
  const copies: Left[] = [];
  turns = [];
  halfway = () => copies.push(leftByKill());
  for (let isGone = false; !isGone;) {
    const before = changesOf(sqlite);
    isGone = await plans.abandon(plan, ROWS_IN_A_TURN);
    expect(changesOf(sqlite) - before).toBeLessThanOrEqual(ROWS_IN_A_TURN + FEW_MORE);
    if (!isGone) copies.push(leftByKill());
  }
  expectShortTurns(EXCLUDED.length);
  expect([count(sqlite, "mailings"), count(sqlite, "mailing_exclusions")]).toEqual([0, 0]);
  expect(copies.length).toBeGreaterThanOrEqual(2);
  for (const copy of copies) {
    await release(copy);
    await walk(plan, copy.plans);
    expect(await copy.plans.complete(plan, completion)).toBe("complete");
    expect(copy.sqlite.query("SELECT address, state FROM deliveries ORDER BY address").values()).toEqual([
      ["ada@example.com", "queued"],
      ["ken@example.com", "skipped"],
      ["zoe@example.com", "queued"],
    ]);
    await copy.close();
  }
});

test("one that leaves out few shares its commits with other writes", async () => {
  const plan = await begin(["ken@example.com"]);
  await walk(plan);
  expect(await storeOf().complete(plan, completion)).toBe("complete");
  expect(turns).toEqual([]);
  expect(count(database().sqlite, "mailing_exclusions")).toBe(0);
});
