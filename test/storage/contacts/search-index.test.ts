import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { createLog } from "#log.ts";
import { followIndexes } from "#storage/sqlite/upkeep/index-follower.ts";
import { contactIndex, searchIndex } from "#storage/sqlite/search/search-index.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const database = () => api.services.database;
const through = () => searchIndex(database().sqlite).through;
const addMany = (count: number) =>
  database().sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1, 'reader-' || i, '', '', 'SUBSCRIBED', 'reader-' || i || char(10) || char(10), 0 FROM n`,
    [count],
  );

const logged: string[] = [];
const log = createLog({
  level: "warn",
  format: "json",
  clock: systemClock,
  write: (line) => void logged.push(line),
});

describe("a server's index of contacts", () => {
  test("follows when nobody comes", async () => {
    const clock = manualClock();
    const following = followIndexes([contactIndex(database())], { clock, log, hasChanged: () => true });
    for (let i = 0; i < 5; i++) await person(api, `reader-${i}@example.com`);
    clock.advance(200);
    expect(through()).toBe(0);
    clock.advance(200);
    await following.stop();
    expect([through(), derivedTablesAgree(api)]).toEqual([5, true]);
  });

  test("follows every five seconds while they keep coming, and before they are too many", async () => {
    const clock = manualClock();
    const following = followIndexes([contactIndex(database())], { clock, log, hasChanged: () => true });
    const lookWith = async (comes: () => unknown): Promise<void> => {
      await comes();
      clock.advance(200);
      await database().writes.drain();
    };
    for (let look = 1; look <= 23; look++) await lookWith(() => person(api, `reader-${look}@example.com`));
    expect(through()).toBe(0);
    await lookWith(() => person(api, "reader-24@example.com"));
    expect(through()).toBe(24);
    await lookWith(() => addMany(10_000));
    await following.stop();
    expect([through(), derivedTablesAgree(api)]).toEqual([10_024, true]);
  });

  test("has been written when the server of before had no time for it", async () => {
    await person(api, "ada@example.com");
    const clock = manualClock();
    const following = followIndexes([contactIndex(database())], { clock, log, hasChanged: () => true });
    await following.stop();
    expect(through()).toBe(1);
  });

  test("that cannot be written is tried again at each look, says so once, and nobody is lost to a search", async () => {
    await person(api, "ada@example.com");
    const clock = manualClock();
    const { sqlite } = database();
    const following = followIndexes([contactIndex(database())], { clock, log, hasChanged: () => true });
    sqlite.exec("PRAGMA query_only = ON");
    await database().writes.drain();
    clock.advance(200);
    await database().writes.drain();
    expect(logged.filter((line) => line.includes("contacts could not be indexed yet"))).toHaveLength(1);
    expect((await api.call("GET", "/contacts?q=ada")).body.pagination.total).toBe(1);
    sqlite.exec("PRAGMA query_only = OFF");
    clock.advance(200);
    await following.stop();
    expect([through(), derivedTablesAgree(api)]).toEqual([1, true]);
  });
});

test("two processes that index at once do it once", async () => {
  addMany(3_500);
  const [a, b] = [contactIndex(database()), contactIndex(database())];
  await Promise.all([a.catchUp(), b.catchUp()]);
  expect([through(), derivedTablesAgree(api)]).toEqual([3_500, true]);
});

test("the newest may go while it is waited for", async () => {
  addMany(1_500);
  const { sqlite, writes } = database();
  const catchingUp = contactIndex(database()).catchUp();
  await writes.write(() => void sqlite.run("DELETE FROM contacts WHERE seq > 700"));
  await catchingUp;
  expect(derivedTablesAgree(api)).toBe(true);
  await contactIndex(database()).catchUp();
  expect([through() >= 700, derivedTablesAgree(api)]).toEqual([true, true]);
});

test("the newest may go before it is indexed, and before anybody comes after it", async () => {
  addMany(3);
  database().sqlite.run("DELETE FROM contacts WHERE seq = 3");
  await contactIndex(database()).catchUp();
  expect([through(), derivedTablesAgree(api)]).toEqual([2, true]);
  database().sqlite.run("DELETE FROM contacts WHERE seq = 2");
  await person(api, "ada@example.com");
  expect((await api.call("GET", "/contacts?q=ada")).body.pagination.total).toBe(1);
  await contactIndex(database()).catchUp();
  expect([through(), derivedTablesAgree(api)]).toEqual([4, true]);
});
