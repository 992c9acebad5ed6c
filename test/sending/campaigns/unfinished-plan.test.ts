import { afterEach, describe, expect, test } from "bun:test";
import type { Plan } from "#campaigns/send/plan.ts";
import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import type { Settings } from "#workspaces/settings/settings.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import {
  addReaders,
  mailOf,
  sendState,
  quickPlanning,
  slowPlanning,
  usageOf,
  warningsOf,
} from "../../support/sending/sending-state.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { DAY } from "../../support/common/durations.ts";

const lacksSqlite = needsSqlite(
  "PostgreSQL plans in stretches of its own: storage/postgres/campaigns/plans.test.ts",
);

const NOW = Date.UTC(2026, 10, 21, 9);

let api: SendingApi;
let clock: ManualClock;
afterEach(() => api.stop({ graceMs: 0 }));

const set = (change: Partial<Settings>) => api.services.workspaces.changeSettings(api.workspaceId, change);
const plansLeft = () => numberOf(api, "SELECT count(*) AS n FROM mailings");
const rowsLeft = () => numberOf(api, "SELECT count(*) AS n FROM deliveries");
const isClear = () => plansLeft() === 0;
const intentsLeft = (): string[] => readdirSync(`${api.dataDir}/plans`);
const run = (sql: string) => api.services.database.sqlite.run(sql);
const isOver = (id: string) => () => rowOf(api, id).status === "SENT";

async function campaignOf(person: string, others = 2_000): Promise<string> {
  clock = manualClock(NOW);
  api = await startSending({}, { clock });
  const id = await makeCampaign(api, (await makeAudience(api, [person])).listId);
  await addReaders(api, id, others);
  return id;
}

/** As if the disk were full at the very moment the rows are to be taken out. */
const keepRows = () =>
  run(
    "CREATE TEMP TRIGGER kept BEFORE DELETE ON main.deliveries BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  );

describe.skipIf(lacksSqlite)("a send that was refused while nothing could be taken back", () => {
  test("never goes out: not in its own time, not after a restart, not on another day", async () => {
    const id = await campaignOf("ada@example.com");
    await set({ dailyCap: 0 });
    keepRows();
    expect((await send(api, id)).status).toBe(422);
    expect([plansLeft(), rowsLeft()]).toEqual([1, 2_001]);
    await set({ dailyCap: null });
    api = await api.restart();
    await drivenUntil(clock, isClear);
    clock.advance(DAY);
    await drivenUntil(clock, () => clock.now() > NOW + DAY + 5_000);
    expect([mailOf(api), usageOf(api), await statusOf(api, id)]).toEqual([[], {}, "DRAFT"]);
    expect([rowsLeft(), intentsLeft()]).toEqual([0, []]);
  });

  test("is taken back by the same server as soon as it can be; a warning says that it waits, once", async () => {
    const id = await campaignOf("ada@example.com");
    await set({ dailyCap: 0 });
    keepRows();
    expect((await send(api, id)).status).toBe(422);
    clock.advance(1_000);
    await drivenUntil(clock, () => warningsOf(api).length > 0);
    await drivenUntil(clock, () => clock.now() > NOW + 20_000);
    expect(warningsOf(api).map(({ message }) => message)).toEqual([
      "what is left of a refused send cannot be cleared away yet",
    ]);
    run("DROP TRIGGER kept");
    await drivenUntil(clock, isClear);
    expect([mailOf(api), await statusOf(api, id)]).toEqual([[], "DRAFT"]);
  });

  test("does not go out either where it failed because another process kept the database to itself", async () => {
    const id = await campaignOf("ada@example.com");
    const { sqlite, writes } = api.services.database;
    writes.lockWaitMs = 0;
    const other = new Database(sqlite.filename);
    const answer = send(api, id);
    await eventually(() => rowsLeft() > 0);
    other.run("BEGIN IMMEDIATE");
    expect((await answer).status).toBe(503);
    expect(intentsLeft()).toEqual([]);
    // As it would be found after a kill: nothing of it was taken back.
    const stopped = api.restart();
    other.close();
    api = await stopped;
    await drivenUntil(clock, isClear);
    expect([mailOf(api), await statusOf(api, id), sendState(api)["mailing_skips"]]).toEqual([
      [],
      "DRAFT",
      [],
    ]);
  });
});

describe.skipIf(lacksSqlite)("a plan that the end of the server cut off", () => {
  const FOR_A_PERSON = { excludeEmails: [], scheduledAt: null, overrideQuietHours: false };

  /** Half a plan, as a killed server leaves it; `before` is what happens until the next one starts. */
  async function cutOff(options = FOR_A_PERSON, before?: (id: string) => Promise<unknown>): Promise<string> {
    const id = await campaignOf("ada@example.com");
    if (options.scheduledAt !== null) scheduleAt(id, options.scheduledAt);
    const plans = api.services.engine.openSendingStores().plans;
    const plan = (await plans.begin(api.workspaceId, id, options, NOW)) as Plan;
    await plans.planNext(plan, 5_000);
    await plans.planNext(plan, 1_000);
    expect(rowsLeft()).toBe(1_000);
    await before?.(id);
    api = await api.restart();
    return id;
  }
  const scheduleAt = (id: string, at: number) =>
    run(
      `UPDATE campaigns SET status = 'SCHEDULED', scheduled_at = ${at}, next_try_at = ${at} WHERE id = '${id}'`,
    );

  test("goes on after the restart, and everybody gets one", async () => {
    const id = await cutOff();
    await drivenUntil(clock, isOver(id));
    expect([mailOf(api), rowsLeft()]).toEqual([["ada@example.com: Spring is here"], 2_001]);
    expect(intentsLeft()).toEqual([]);
  });

  test("waits while its file cannot be read, and keeps no schedule from starting", async () => {
    const aside = (id: string) => [`${api.dataDir}/plans/${id}.json`, `${api.dataDir}/aside.json`] as const;
    const id = await cutOff(FOR_A_PERSON, async (own) => {
      const [path, elsewhere] = aside(own);
      renameSync(path, elsewhere);
      // It can be read no more than one of root's, or one on a disk that fails.
      mkdirSync(path);
    });
    const other = await makeCampaign(api, (await makeAudience(api, ["grace@example.org"])).listId);
    scheduleAt(other, NOW);
    await drivenUntil(clock, isOver(other));
    expect(warningsOf(api).map(({ message }) => message)).toEqual([
      "an interrupted send waits: its file in plans/ cannot be read",
    ]);
    const [path, elsewhere] = aside(id);
    rmdirSync(path);
    renameSync(elsewhere, path);
    await drivenUntil(clock, isOver(id));
    expect(mailOf(api)).toEqual(["grace@example.org: Spring is here", "ada@example.com: Spring is here"]);
  });

  test.each<[string, Partial<Settings>]>([
    ["it is quiet hours by then", { quietHours: { fromMinute: 0, toMinute: 1439 } }],
    ["sending was switched off", { sending: false }],
    ["the workspace was suspended", { suspended: true }],
    ["the mailing address is gone", { mailingAddress: "" }],
  ])("is taken back where %s", async (_, settings) => {
    const id = await cutOff(FOR_A_PERSON, () => set(settings));
    await drivenUntil(clock, isClear);
    await set({ quietHours: null, sending: true, suspended: false, mailingAddress: "1 Analytical Way" });
    await drivenUntil(clock, () => clock.now() > NOW + 10_000);
    expect([mailOf(api), usageOf(api), await statusOf(api, id)]).toEqual([[], {}, "DRAFT"]);
    expect(warningsOf(api).map(({ message }) => message)).toEqual(["an interrupted send does not go on"]);
  });

  test("goes on in quiet hours where whoever began it said so", async () => {
    const quiet = { quietHours: { fromMinute: 0, toMinute: 1439 } };
    const id = await cutOff({ ...FOR_A_PERSON, overrideQuietHours: true }, () => set(quiet));
    await drivenUntil(clock, isOver(id));
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
  });

  test("waits for the time that the campaign was given since", async () => {
    const at = NOW + 3_600_000;
    const id = await cutOff(FOR_A_PERSON, async (begun) => scheduleAt(begun, at));
    await drivenUntil(clock, isClear);
    expect([mailOf(api), await statusOf(api, id)]).toEqual([[], "SCHEDULED"]);
    clock.advance(at - clock.now());
    await drivenUntil(clock, isOver(id));
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
  });

  test("of a schedule that was cancelled sends nothing", async () => {
    const id = await cutOff({ ...FOR_A_PERSON, scheduledAt: NOW } as never, (begun) =>
      api.call("DELETE", `/campaigns/${begun}/schedule`),
    );
    await drivenUntil(clock, isClear);
    await drivenUntil(clock, () => clock.now() > NOW + 10_000);
    expect([mailOf(api), await statusOf(api, id)]).toEqual([[], "DRAFT"]);
  });

  test("of a schedule that is more than a day old by then is held", async () => {
    const id = await cutOff({ ...FOR_A_PERSON, scheduledAt: NOW } as never, async () =>
      clock.advance(2 * DAY),
    );
    await drivenUntil(clock, () => isClear() && rowOf(api, id).held === 1);
    expect([mailOf(api), await statusOf(api, id)]).toEqual([[], "SCHEDULED"]);
  });

  test("holds up no other send: a campaign that is due goes out while the plan is resumed", async () => {
    let second = "";
    const slowDown = async (id: string): Promise<void> => {
      await slowPlanning(api, id);
      const due = await makeCampaign(api, (await makeAudience(api, ["grace@example.com"])).listId);
      scheduleAt(due, NOW);
      second = due;
    };
    const first = await cutOff(FOR_A_PERSON, slowDown);
    await drivenUntil(clock, isOver(second));
    expect([mailOf(api), await statusOf(api, first)]).toEqual([
      ["grace@example.com: Spring is here"],
      "DRAFT",
    ]);
    await quickPlanning(api);
    await drivenUntil(clock, isOver(first));
    expect(mailOf(api).toSorted()).toEqual([
      "ada@example.com: Spring is here",
      "grace@example.com: Spring is here",
    ]);
  });

  test("of a restored copy waits for a person, and then goes on without a restart", async () => {
    const id = await cutOff(FOR_A_PERSON, async () => run("UPDATE mailings SET held = 1"));
    await drivenUntil(clock, () => clock.now() > NOW + 10_000);
    expect([mailOf(api), rowsLeft()]).toEqual([[], 1_000]);
    await api.services.campaigns.releaseCampaign(api.workspaceId, id);
    await drivenUntil(clock, isOver(id));
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
  });

  test("of a restored copy is not released while its file cannot be read: it says whether quiet hours count", async () => {
    const id = await cutOff({ ...FOR_A_PERSON, overrideQuietHours: true }, async () => {
      await set({ quietHours: { fromMinute: 0, toMinute: 1439 } });
      run("UPDATE mailings SET held = 1");
    });
    const [path, aside] = [`${api.dataDir}/plans/${id}.json`, `${api.dataDir}/aside.json`];
    renameSync(path, aside);
    // Even root cannot read a link to itself.
    symlinkSync(path, path);
    const release = () => api.services.campaigns.releaseCampaign(api.workspaceId, id);
    expect(await release().catch((error: unknown) => error)).toMatchObject({ code: "ELOOP" });
    rmSync(path);
    renameSync(aside, path);
    await release();
    await drivenUntil(clock, isOver(id));
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
  });
});

test.skipIf(lacksSqlite)(
  "a server that ends while it plans does not wait for the plan; the next one goes on with it",
  async () => {
    const id = await campaignOf("ada@example.com", 8_000);
    const answer = send(api, id).catch(() => null);
    await eventually(() => rowsLeft() > 0);
    await api.sending.stop(0);
    const atEnd = rowsLeft();
    expect(atEnd).toBeLessThan(8_001);
    expect((await answer)?.body.data).toEqual({ sent: 0, failed: 0, remaining: 1, complete: false });
    api = await api.restart();
    await drivenUntil(clock, isOver(id));
    expect([mailOf(api), rowsLeft()]).toEqual([["ada@example.com: Spring is here"], 8_001]);
  },
);
