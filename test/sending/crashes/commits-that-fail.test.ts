import { afterEach, describe, expect, test } from "bun:test";
import { sleep } from "#core/time/clock.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import {
  addressesMailed,
  beginSend,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { needsSqlite } from "../../support/server/services.ts";

const lacksSqlite = needsSqlite("only with it the disk is the server's own");

let api: SendingApi;
let clock: ManualClock;
afterEach(() => api.stop());
const isSent = (id: string) => rowsOf(api, id).every(({ state }) => state === "sent");

async function readyToSend(count: number) {
  clock = manualClock();
  let dots = 0;
  // Four for the campaign: one is kept for mail somebody waits for.
  api = await startSending({ DOT: () => void dots++ }, { clock, connections: 5 });
  const { listId, addresses } = await makeAudience(api, count);
  return { id: await makeCampaign(api, listId), addresses: addresses.toSorted(), dots: () => dots };
}

/**
 * Makes every commit fail that moves a row to this state, as a full disk does: the whole transaction of the
 * group is lost. Only COMMIT itself notices a broken deferred reference.
 */
function failCommitsOf(state: string): { end(): void } {
  const { sqlite } = api.services.database;
  sqlite.run("CREATE TEMP TABLE space (free INTEGER PRIMARY KEY)");
  sqlite.run("CREATE TEMP TABLE taken (page REFERENCES space (free) DEFERRABLE INITIALLY DEFERRED)");
  sqlite.run(
    `CREATE TEMP TRIGGER full AFTER UPDATE OF state ON main.deliveries WHEN new.state = '${state}' BEGIN INSERT INTO taken VALUES (1); END`,
  );
  return { end: () => sqlite.run("DROP TRIGGER full") };
}

describe.skipIf(lacksSqlite)("while nothing can be committed", () => {
  test("no dot goes out; the sender waits, says why, and goes on by itself", async () => {
    const { id, addresses, dots } = await readyToSend(9);
    const disk = failCommitsOf("dot");
    const answer = await driven(clock, send(api, id));
    expect(answer.body.data).toEqual({ sent: 0, failed: 0, remaining: 9, complete: false });
    await drivenUntil(clock, () => api.relay.transactions >= 12);
    expect((await reportOf(api, id)).blocked).toBe("The database cannot be written.");
    expect(dots()).toBe(0);
    expect(addressesMailed(api)).toEqual([]);
    expect(rowsOf(api, id).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
      Array(9).fill("queued 0"),
    );
    disk.end();
    await drivenUntil(clock, () => isSent(id));
    expect(addressesMailed(api)).toEqual(addresses);
    expect(rowsOf(api, id).every(({ attempts }) => attempts === 1)).toBe(true);
    expect(await statusOf(api, id)).toBe("SENT");
    expect((await reportOf(api, id)).blocked).toBeNull();
  });

  test("an outcome waits in memory and is written later: it is not uncertain", async () => {
    const { id, addresses } = await readyToSend(9);
    const disk = failCommitsOf("sent");
    const answer = send(api, id);
    await drivenUntil(
      clock,
      () => api.logLines.filter((line) => line.includes("cannot be recorded yet")).length >= 4,
    );
    expect(rowsOf(api, id).filter(({ state }) => state === "sent")).toEqual([]);
    disk.end();
    expect((await driven(clock, answer)).body.data).toEqual({
      sent: 9,
      failed: 0,
      remaining: 0,
      complete: true,
    });
    expect(isSent(id)).toBe(true);
    expect(addressesMailed(api)).toEqual(addresses);
  });

  test("a stop leaves what could not be recorded uncertain, and it is never sent again", async () => {
    const { id, addresses } = await readyToSend(4);
    failCommitsOf("sent");
    beginSend(api, id);
    await drivenUntil(clock, () => addressesMailed(api).length === 4);
    api = await api.restart();
    expect(rowsOf(api, id).map(({ state }) => state)).toEqual(Array(4).fill("uncertain"));
    clock.advance(3_600_000);
    await driven(clock, sleep(clock, 10_000));
    expect(addressesMailed(api)).toEqual(addresses);
    expect(await statusOf(api, id)).toBe("SENT");
  });
});

describe.skipIf(lacksSqlite)("a database that may not grow", () => {
  test("loses and repeats nothing, whichever write it was that found it full", async () => {
    const { id, addresses } = await readyToSend(60);
    const { sqlite } = api.services.database;
    const pages = sqlite.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
    let full = false;
    const fill = () => {
      full = true;
      sqlite.run(`PRAGMA max_page_count = ${pages}`);
    };
    const answer = driven(clock, send(api, id)).catch(() => null);
    fill();
    await driven(clock, sleep(clock, 20_000));
    sqlite.run("PRAGMA max_page_count = 1073741823");
    expect(full).toBe(true);
    const first = await answer;
    if (first?.status !== 200 || !first.body.data.complete) await driven(clock, send(api, id));
    await drivenUntil(clock, () => rowsOf(api, id).length === 60 && isSent(id));
    expect(addressesMailed(api)).toEqual(addresses);
  });
});
