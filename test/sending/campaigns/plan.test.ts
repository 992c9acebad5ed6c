import { afterEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { countRows, rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import {
  beginSend,
  driven,
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import {
  addReaders,
  answered,
  mailOf,
  quickPlanning,
  runUntil,
  sendState,
  slowPlanning,
  usageOf,
} from "../../support/sending/sending-state.ts";
import { refusal } from "../../support/server/api.ts";
import { isPostgres, needsSqlite, writeTo } from "../../support/server/services.ts";
import { trap } from "../../support/storage/traps.ts";
import { HOUR } from "../../support/common/durations.ts";

const lacksSqlite = needsSqlite(
  "nobody keeps PostgreSQL to themselves: storage/postgres/campaigns/plans.test.ts",
);

const NOW = Date.UTC(2026, 10, 21, 9);
const ALREADY_SENT = [422, "CAMPAIGN_ALREADY_SENT"];

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const get = async (id: string): Promise<any> => (await api.call("GET", `/campaigns/${id}`)).body.data;
const schedule = (id: string) =>
  api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: "2040-01-01T00:00:00Z" });
const cancel = (id: string) => api.call("DELETE", `/campaigns/${id}/schedule`);
const statusOf = (id: string): string => rowOf(api, id).status;

/** Resolves once there are rows of this table. */
async function rowsOf(table: string): Promise<void> {
  await eventually(() => countRows(api, table) > 0);
}

/** With SQLite another process takes the lock, which fails its writes in the same way. */
async function fillableDisk(): Promise<{ fill(): Promise<unknown>; empty(): Promise<unknown> }> {
  if (isPostgres) {
    await writeTo(api, "CREATE TABLE no_room AS SELECT 1 AS n WHERE false");
    await trap(api, {
      at: "BEFORE INSERT ON deliveries",
      act: "IF EXISTS (SELECT FROM no_room) THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF",
    });
    return {
      fill: () => writeTo(api, "INSERT INTO no_room VALUES (1)"),
      empty: () => writeTo(api, "DELETE FROM no_room"),
    };
  }
  const { sqlite, writes } = api.services.database;
  writes.lockWaitMs = 0;
  const other = new Database(sqlite.filename);
  return {
    fill: async () => other.run("BEGIN IMMEDIATE"),
    async empty() {
      other.run("COMMIT");
      other.close();
    },
  };
}

describe("while a plan is made", () => {
  test("a plan that takes longer than a call may wait goes on without it, and is sent", async () => {
    const clock = manualClock(NOW);
    api = await startSending({}, { clock });
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await addReaders(api, id, 5_000);
    await slowPlanning(api);
    let isOver = false;
    const calls = Promise.all([send(api, id), send(api, id)]).finally(() => (isOver = true));
    await rowsOf("mailings");
    // Each waits for 45 s from when it came, and on a busy machine the second comes late.
    await eventually(() => {
      clock.advance(45_000);
      return isOver;
    });
    for (const answer of await calls) {
      const { sent, failed, remaining, complete } = answer.body.data;
      expect([answer.status, sent, failed, complete]).toEqual([200, 0, 0, false]);
      expect(remaining).toBeLessThan(5_001);
    }
    expect((sendState(api)["mailings"] as any[]).map(({ phase }) => phase)).toEqual(["planning"]);
    await quickPlanning(api);
    await runUntil(clock, () => statusOf(id) === "SENT");
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
    expect(sendState(api)["deliveries"]).toHaveLength(5_001);
  });

  test("a plan whose call was answered waits while nothing can be written, then goes on, and is sent", async () => {
    const clock = manualClock(NOW);
    api = await startSending({}, { clock });
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await addReaders(api, id, 5_000);
    const disk = await fillableDisk();
    await slowPlanning(api);
    const call = send(api, id);
    await rowsOf("mailings");
    clock.advance(45_000);
    expect((await call).body.data).toMatchObject({ sent: 0, complete: false });
    await disk.fill();
    if (isPostgres) await quickPlanning(api);
    await runUntil(clock, () => api.services.engine.fault() !== null);
    const failedAt = clock.now();
    await runUntil(clock, () => clock.now() > failedAt + 3_000);
    // Whoever asks meanwhile waits for the same plan, and is not told that it failed.
    const later = send(api, id);
    await disk.empty();
    if (!isPostgres) await quickPlanning(api);
    await runUntil(clock, () => statusOf(id) === "SENT" || countRows(api, "mailings") === 0);
    expect([statusOf(id), mailOf(api)]).toEqual(["SENT", ["ada@example.com: Spring is here"]]);
    expect((await answered(clock, later)).status).toBe(200);
    expect(sendState(api)["deliveries"]).toHaveLength(5_001);
  });

  test("one that is refused after the call was answered leaves nothing, and the next call says why", async () => {
    const clock = manualClock(NOW);
    api = await startSending({}, { clock });
    await api.services.workspaces.changeSettings(api.workspaceId, { dailyCap: 0 });
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await addReaders(api, id, 5_000);
    await slowPlanning(api);
    const call = send(api, id);
    await rowsOf("mailings");
    clock.advance(45_000);
    expect((await call).body.data).toMatchObject({ sent: 0, complete: false });
    await quickPlanning(api);
    await runUntil(clock, () => (sendState(api)["mailings"] as any[]).length === 0);
    expect((await send(api, id)).status).toBe(422);
    expect(statusOf(id)).toBe("DRAFT");
  });

  test("an edit while the plan is made: everybody gets one and the same version, the last that was accepted", async () => {
    api = await startSending();
    const people = ["ada@example.com", "grace@example.org", "linus@example.net"];
    const id = await makeCampaign(api, (await makeAudience(api, people)).listId, {
      subject: "Version 0",
      body: "<p>Version 0</p>",
    });
    await addReaders(api, id, 5_000);
    let accepted = 0;
    const sending = send(api, id);
    for (let version = 1; ; version++) {
      const answer = await api.call("PATCH", `/campaigns/${id}`, {
        subject: `Version ${version}`,
        body: `<p>Version ${version}</p>`,
      });
      if (answer.status !== 200) {
        expect(refusal(answer)).toEqual(ALREADY_SENT);
        break;
      }
      accepted = version;
    }
    expect((await sending).body.data).toMatchObject({ sent: 3, complete: true });
    expect(accepted).toBeGreaterThan(0);
    expect(mailOf(api).toSorted()).toEqual(people.map((address) => `${address}: Version ${accepted}`));
    for (const { raw } of api.relay.accepted)
      expect([...new Set(raw.match(/Version \d+/g))]).toEqual([`Version ${accepted}`]);
    expect((await get(id)).subject).toBe(`Version ${accepted}`);
  });

  const CHANGED = [422, "VALIDATION_ERROR"] as const;
  test.each<[string, (id: string) => Promise<{ status: number }>, readonly [number, string]]>([
    [
      "is put on another list",
      async (id) => api.call("PATCH", `/campaigns/${id}`, { listId: (await makeAudience(api, [])).listId }),
      CHANGED,
    ],
    ["loses its list", (id) => api.call("PATCH", `/campaigns/${id}`, { listId: null }), CHANGED],
    ["has its list deleted", async (id) => api.call("DELETE", `/lists/${(await get(id)).listId}`), CHANGED],
    ["is deleted", (id) => api.call("DELETE", `/campaigns/${id}`), [404, "NOT_FOUND"]],
  ])(
    "a campaign that %s while its plan is made: nothing goes out, nothing is left of the plan",
    async (_name, change, answer) => {
      // By a clock that stands, the call is not answered before its plan has ended, however slow the machine is.
      api = await startSending({}, { clock: manualClock(NOW) });
      const id = await makeCampaign(api, (await makeAudience(api, 1)).listId);
      await addReaders(api, id, 20_000);
      const sending = send(api, id);
      await rowsOf("mailings");
      expect((await change(id)).status).toBeLessThan(300);
      expect(refusal(await sending)).toEqual([...answer]);
      const { mailings, deliveries, mailing_exclusions, mailing_skips } = sendState(api);
      expect([mailings, deliveries, mailing_exclusions, mailing_skips]).toEqual([[], [], [], []]);
      expect([api.relay.transactions, usageOf(api)]).toEqual([0, {}]);
    },
  );
});

describe.skipIf(lacksSqlite)("a plan that could not be written", () => {
  /** Stands during a plan: on a slow machine, the plan would take longer than a call may wait for it. */
  let clock = manualClock(NOW);

  /** A send whose plan fails in its middle, because another process keeps the database to itself. */
  async function failedPlan(): Promise<{ id: string; other: Database }> {
    clock = manualClock(NOW);
    api = await startSending({}, { clock });
    const id = await makeCampaign(
      api,
      (await makeAudience(api, ["ada@example.com", "grace@example.org"])).listId,
    );
    await addReaders(api, id, 20_000);
    const { sqlite, writes } = api.services.database;
    writes.lockWaitMs = 0;
    const other = new Database(sqlite.filename);
    const sending = send(api, id);
    await rowsOf("deliveries");
    other.run("BEGIN IMMEDIATE");
    expect(refusal(await sending)).toEqual([503, "UNAVAILABLE"]);
    other.run("COMMIT");
    // It could not be taken back either: the lock stood in the way of that too.
    expect([statusOf(id), sendState(api)["mailings"]!.length]).toEqual(["DRAFT", 1]);
    return { id, other };
  }

  test("sends nothing, and leaves the campaign as it was: editable, and to be sent", async () => {
    const { id, other } = await failedPlan();
    expect([api.relay.transactions, usageOf(api)]).toEqual([0, {}]);
    expect((await api.call("PATCH", `/campaigns/${id}`, { subject: "Second try" })).status).toBe(200);
    // In short steps, so that a slow machine plans the list within a call.
    expect((await driven(clock, send(api, id), 1)).body.data).toMatchObject({ sent: 2, complete: true });
    expect(mailOf(api).toSorted()).toEqual(["ada@example.com: Second try", "grace@example.org: Second try"]);
    other.close();
  });

  test("has no say in the next one: who is excluded then gets nothing, another list is another audience", async () => {
    const { id, other } = await failedPlan();
    const { listId } = await makeAudience(api, ["ada@example.com", "linus@example.net"]);
    await api.call("PATCH", `/campaigns/${id}`, { listId });
    const answer = await driven(clock, send(api, id, { excludeEmails: ["ada@example.com"] }));
    expect(answer.body.data).toMatchObject({ sent: 1, complete: true });
    expect(mailOf(api)).toEqual(["linus@example.net: Spring is here"]);
    expect(sendState(api)["deliveries"]!.length).toBe(2);
    other.close();
  });
});

test("a send under way cannot be taken back as a plan, whoever believes it is one", async () => {
  api = await startSending({ MAIL: stall });
  const id = await makeCampaign(api, (await makeAudience(api, 3)).listId);
  beginSend(api, id);
  await api.relay.reached("MAIL");
  const before = sendState(api);
  const plan = { number: rowOf(api, id).mailing, workspaceId: api.workspaceId, campaignId: id };
  expect(await api.services.engine.openSendingStores().plans.abandon(plan, 100)).toBe(true);
  expect(sendState(api)).toEqual(before);
});

describe("while a send is under way", () => {
  test.each(["DRAFT", "SCHEDULED"])(
    "a %s campaign is frozen: edit, schedule and cancel are refused, a repeated send tells what remains",
    async (status) => {
      api = await startSending({ MAIL: stall });
      const id = await makeCampaign(api, (await makeAudience(api, 3)).listId);
      if (status === "SCHEDULED") await schedule(id);
      beginSend(api, id);
      await api.relay.reached("MAIL");
      const before = rowOf(api, id);
      for (const body of [{ name: "Late" }, { subject: "Late" }, { body: "<p>Late</p>" }, { listId: null }])
        expect(refusal(await api.call("PATCH", `/campaigns/${id}`, body))).toEqual(ALREADY_SENT);
      expect(refusal(await schedule(id))).toEqual(ALREADY_SENT);
      expect(refusal(await cancel(id))).toEqual(ALREADY_SENT);
      const again = await send(api, id);
      expect([again.status, again.body.data]).toEqual([
        200,
        { sent: 0, failed: 0, remaining: 3, complete: false },
      ]);
      expect(rowOf(api, id)).toEqual(before);
      expect(await get(id)).toMatchObject({ status, sentAt: null, stat: null });
      expect(api.relay.accepted.length).toBe(0);
    },
  );

  test("deleting its list does not stop it; deleting the campaign does", async () => {
    let isOpen = false;
    const clock = manualClock(NOW);
    api = await startSending({ RCPT: () => (isOpen ? undefined : "451 4.3.0 Later") }, { clock });
    const [goesOn, stops] = [
      await makeAudience(api, ["ada@example.com"]),
      await makeAudience(api, ["grace@example.org"]),
    ];
    const [first, second] = [await makeCampaign(api, goesOn.listId), await makeCampaign(api, stops.listId)];
    beginSend(api, first);
    beginSend(api, second);
    await runUntil(
      clock,
      () =>
        (sendState(api)["deliveries"] as any[]).filter((row) => row.next_attempt_at !== null).length === 2,
    );
    expect((await api.call("DELETE", `/lists/${goesOn.listId}`)).status).toBe(204);
    expect((await api.call("DELETE", `/campaigns/${second}`)).status).toBe(204);
    isOpen = true;
    clock.advance(5 * HOUR);
    await runUntil(clock, () => statusOf(first) === "SENT");
    clock.advance(24 * HOUR);
    await runUntil(clock, () => clock.now() > NOW + 29 * HOUR + 2_000);
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
  });
});
