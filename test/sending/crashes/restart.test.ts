import { afterEach, describe, expect, test } from "bun:test";
import type { Plan } from "#campaigns/send/plan.ts";
import { countRuns } from "../../support/automations/automations.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { stall } from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  beginSend,
  driven,
  drivenUntil,
  headerOf,
  makeAudience,
  makeCampaign,
  makeLongList,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { needsSqlite, rowsFrom, writeTo } from "../../support/server/services.ts";

const lacksSqlite = needsSqlite(
  "PostgreSQL plans in stretches of its own: storage/postgres/campaigns/plans.test.ts",
);

let api: SendingApi;
afterEach(() => api.stop());
const statesOf = (id: string) => rowsOf(api, id).map(({ state }) => state);
const isOver = (id: string) => rowOf(api, id).status === "SENT";

describe("a restart", () => {
  test("gives up on what stood at its dot, and sends the rest without being asked", async () => {
    let stalls = true;
    api = await startSending(
      { DOT: () => (stalls ? { and: "stall", kept: true } : undefined) },
      // Of each of these, one is kept for mail somebody waits for.
      { connections: 4 },
    );
    const { listId, addresses } = await makeAudience(api, 12);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await api.relay.reached("DOT", 3);
    expect(statesOf(id).filter((state) => state === "dot")).toHaveLength(3);
    stalls = false;
    api = await api.restart();
    await eventually(() => isOver(id));
    expect(statesOf(id).filter((state) => state === "uncertain")).toHaveLength(3);
    expect(statesOf(id).filter((state) => state === "sent")).toHaveLength(9);
    for (const row of rowsOf(api, id).filter(({ state }) => state === "uncertain"))
      expect(row).toMatchObject({ reason: "SERVER_STOPPED", attempts: 1 });
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
    expect(await statusOf(api, id)).toBe("SENT");
    expect(await reportOf(api, id)).toMatchObject({
      planned: 12,
      sent: 9,
      uncertain: 3,
      failed: 0,
      remaining: 0,
    });
  });

  test("completes a campaign that owes nothing any more", async () => {
    api = await startSending({ DOT: { and: "stall", kept: true } });
    const { listId } = await makeAudience(api, 4);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await api.relay.reached("DOT", 4);
    api = await api.restart();
    expect(await statusOf(api, id)).toBe("SENT");
    expect(await reportOf(api, id)).toMatchObject({ uncertain: 4, sent: 0, remaining: 0 });
    expect((await send(api, id)).body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
    expect(addressesMailed(api)).toHaveLength(4);
  });

  test("keeps a retry's pause, its Message-ID and its Date", async () => {
    const clock = manualClock();
    let healed = false;
    api = await startSending(
      { DOT: () => (healed ? undefined : "451 4.7.1 Greylisted") },
      { clock, relay: { wire: true } },
    );
    const { listId } = await makeAudience(api, 1);
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    const [before] = rowsOf(api, id);
    healed = true;
    api = await api.restart();
    expect((await driven(clock, send(api, id))).body.data).toEqual({
      sent: 0,
      failed: 0,
      remaining: 1,
      complete: false,
    });
    expect(rowsOf(api, id)[0]).toEqual(before);
    await drivenUntil(clock, () => isOver(id), 500);
    expect(clock.now()).toBeGreaterThanOrEqual(before!.next_attempt_at!);
    const wires = [1, 2].map((connection) => api.relay.wire(connection));
    for (const name of ["Message-ID", "Date"]) {
      expect(headerOf(wires[0]!, name)).toBeTruthy();
      expect(headerOf(wires[0]!, name)).toBe(headerOf(wires[1]!, name));
    }
    expect(addressesMailed(api)).toHaveLength(1);
  });
});

describe("a retry that was put off while the clock was wrong", () => {
  const YEAR = 365 * 86_400_000;

  test("for years goes out when rows that are due are looked for, and once", async () => {
    const clock = manualClock();
    let healed = false;
    api = await startSending({ RCPT: () => (healed ? undefined : "451 4.3.0 Later") }, { clock });
    const { listId } = await makeAudience(api, 1);
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    await writeTo(api, `UPDATE deliveries SET next_attempt_at = ${clock.now() + 5 * YEAR}`);
    healed = true;
    await drivenUntil(clock, () => isOver(id));
    expect(addressesMailed(api)).toHaveLength(1);
  });

  test("of a schedule that waits for a guardrail, likewise; one that a person set for years ahead waits", async () => {
    const clock = manualClock();
    api = await startSending({}, { clock });
    const [due, later] = [
      await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId),
      await makeCampaign(api, (await makeAudience(api, ["grace@example.org"])).listId),
    ];
    const far = clock.now() + 5 * YEAR;
    const schedule = (id: string, at: number) =>
      writeTo(
        api,
        `UPDATE campaigns SET status = 'SCHEDULED', scheduled_at = ${at}, next_try_at = ${far} WHERE id = '${id}'`,
      );
    await schedule(due, clock.now() - 1_000);
    await schedule(later, far);
    await drivenUntil(clock, () => addressesMailed(api).length === 1);
    await drivenUntil(clock, () => clock.now() > Date.UTC(2026, 0, 5, 9, 1));
    expect([addressesMailed(api), await statusOf(api, later)]).toEqual([["ada@example.com"], "SCHEDULED"]);
  });

  test("of an automation's step is due at the next start; a wait that its author chose is not", async () => {
    const clock = manualClock();
    api = await startSending({}, { clock });
    const run = (sql: string) => writeTo(api, sql);
    const far = clock.now() + 5 * YEAR;
    await run(
      "INSERT INTO automations (id, workspace, name, status, created_at, updated_at) VALUES ('aut_1', 1, 'A', 'PAUSED', 0, 0)",
    );
    // One that failed, one that is held without a fault (quiet hours, a call under way), and a wait.
    for (const [seq, attempts, waiting] of [
      [1, 2, 0],
      [2, 0, 0],
      [3, 0, 1],
    ]) {
      await api.call("POST", "/contacts", { email: `reader-${seq}@example.com` });
      await run(
        `INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at, attempts, waiting)
         VALUES ('enr_${seq}', 1, ${seq}, 0, 'ACTIVE', 'x', ${far}, 0, ${attempts}, ${waiting} = 1)`,
      );
    }
    await countRuns(api);
    api = await api.restart();
    const next = rowsFrom<{ at: number }>(api, "SELECT next_run_at AS at FROM enrollments ORDER BY seq");
    expect(next[0]!.at).toBeLessThanOrEqual(clock.now());
    expect(next[1]!.at).toBeLessThanOrEqual(clock.now());
    expect(next[2]!.at).toBe(far);
  });
});

describe("an orderly stop", () => {
  test("cuts off what has not reached its dot, long before the time of grace is over; it is owed as before", async () => {
    let stalls = true;
    api = await startSending({ RCPT: () => (stalls ? stall : undefined) }, { connections: 5 });
    const { listId, addresses } = await makeAudience(api, 6);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await api.relay.reached("RCPT", 4);
    stalls = false;
    // Ten times as long as a test may take.
    api = await api.restart({ graceMs: 600_000 });
    await eventually(() => isOver(id));
    expect(rowsOf(api, id).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
      Array(6).fill("sent 1"),
    );
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
  });

  test("lets what is behind its dot finish", async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    api = await startSending(
      { DOT: { reply: "250 2.0.0 Queued", and: "go on", after: gate } },
      { connections: 3 },
    );
    const { listId } = await makeAudience(api, 4);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await api.relay.reached("DOT", 2);
    const restarted = api.restart({ graceMs: 10_000 });
    open();
    api = await restarted;
    await eventually(() => isOver(id));
    expect(statesOf(id)).toEqual(Array(4).fill("sent"));
    expect(addressesMailed(api)).toHaveLength(4);
  });
});

describe.skipIf(lacksSqlite)("a plan that was being made", () => {
  const COUNT = 900;

  /** A plan as a killed server leaves it: `walked` contacts in, then `back` rows taken out again. */
  async function halfPlanned(walked: number, back = 0): Promise<string> {
    const planOf = () =>
      api.services.database.sqlite
        .query<{ phase: string; planned: number }, []>("SELECT phase, planned FROM mailings")
        .get();
    const early: unknown[] = [];
    api = await startSending({
      MAIL: () => {
        const plan = planOf();
        if (plan?.phase === "planning" || plan?.planned !== COUNT) early.push(plan);
        return undefined;
      },
    });
    const id = await makeCampaign(api, await makeLongList(api, COUNT));
    const plans = api.services.engine.openSendingStores().plans;
    const plan = (await plans.begin(
      api.workspaceId,
      id,
      { excludeEmails: [], scheduledAt: null, overrideQuietHours: false },
      0,
    )) as Plan;
    await plans.planNext(plan, COUNT + 1);
    await plans.planNext(plan, walked);
    if (back > 0) await plans.abandon(plan, back);
    expect(rowsOf(api, id)).toHaveLength(walked - back);
    api = await api.restart();
    await eventually(() => api.relay.accepted.length >= COUNT && isOver(id));
    expect(early).toEqual([]);
    return id;
  }

  for (const [walked, back] of [
    [1, 0],
    [450, 0],
    [899, 0],
    [900, 0],
    [900, 1],
    [900, 500],
    [600, 600],
  ] as const) {
    test(`is finished at the restart: ${walked} of ${COUNT} written, ${back} taken back`, async () => {
      const id = await halfPlanned(walked, back);
      expect(rowsOf(api, id)).toHaveLength(COUNT);
      expect(new Set(addressesMailed(api)).size).toBe(COUNT);
      expect(addressesMailed(api)).toHaveLength(COUNT);
      expect(await statusOf(api, id)).toBe("SENT");
      expect(numberOf(api, "SELECT n FROM sending_usage WHERE length(period) = 10")).toBe(COUNT);
    });
  }

  test("is taken back whole when it may not go out any more", async () => {
    api = await startSending();
    const id = await makeCampaign(api, await makeLongList(api, COUNT));
    const plans = api.services.engine.openSendingStores().plans;
    const plan = (await plans.begin(
      api.workspaceId,
      id,
      { excludeEmails: [], scheduledAt: null, overrideQuietHours: false },
      0,
    )) as Plan;
    await plans.planNext(plan, COUNT + 1);
    await plans.planNext(plan, 300);
    await api.services.workspaces.changeSettings(api.workspaceId, { dailyCap: 10 });
    api = await api.restart();
    await eventually(() => numberOf(api, "SELECT count(*) AS n FROM mailings") === 0);
    expect(rowsOf(api, id)).toHaveLength(0);
    expect(await statusOf(api, id)).toBe("DRAFT");
    expect(addressesMailed(api)).toEqual([]);
  });

  test("is one plan, however many ask for it while it is finished", async () => {
    api = await startSending();
    const id = await makeCampaign(api, await makeLongList(api, COUNT));
    const answers = await Promise.all([send(api, id), send(api, id), send(api, id)]);
    const sent = answers.map(({ body }) => body.data?.sent ?? 0);
    expect(sent.reduce((sum, one) => sum + one, 0)).toBe(COUNT);
    expect(numberOf(api, "SELECT n FROM sending_usage WHERE length(period) = 10")).toBe(COUNT);
  });
});
