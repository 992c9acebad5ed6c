import { describe, expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings/settings.ts";
import { iso, NOW, schedules } from "../../support/sending/schedules.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { isPostgres } from "../../support/server/services.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { makeAudience, makeCampaign, reportOf, send, startSending } from "../../support/sending/sending.ts";
import {
  answered,
  mailOf,
  runUntil,
  sendState,
  usageOf,
  warningsOf,
} from "../../support/sending/sending-state.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

const service = schedules();
const {
  start,
  set,
  get,
  schedule,
  cancel,
  scheduledAt,
  statusOf,
  isSent,
  waits,
  nextTryOf,
  reach,
  lookTwice,
} = service;

test.if(isPostgres)("segments that are too much for one statement: it says so, and what to do", async () => {
  await start();
  let made = 0;
  const excludeSegmentIds: string[] = [];
  for (let n = 0; n < 34; n++) {
    const where = () =>
      Array.from({ length: 20 }, () => {
        const value = (++made).toString(36);
        return { property: value, op: "equals", value };
      });
    const all = Array.from({ length: 50 }, () => {
      return { field: "event", op: "atLeast", value: 1, name: "e", where: where() };
    });
    const { body } = await service.api.call("POST", "/segments", { name: `S${n}`, rules: { all } });
    excludeSegmentIds.push(body.data.id);
  }
  const { listId } = await makeAudience(service.api, ["ada@example.com"]);
  const id = await makeCampaign(service.api, listId);
  const at = NOW + HOUR;
  await service.api.call("PATCH", `/campaigns/${id}/options`, { excludeSegmentIds });
  expect((await schedule(id, at)).status).toBe(200);
  await reach(at, waits(id));
  expect(rowOf(service.api, id).blocked).toContain("Take out conditions");
  expect((await get(id)).status).toBe("SCHEDULED");
  const refused = {
    status: 422,
    body: { error: { message: expect.stringContaining("Take out conditions") } },
  };
  expect(await answered(service.clock, service.api.call("POST", `/campaigns/${id}/check`, {}))).toMatchObject(
    refused,
  );
});

describe("a guardrail in the way of a schedule", () => {
  type Change = Partial<Settings>;
  const WAYS: [string, Change, Change, RegExp][] = [
    ["the workspace is suspended", { suspended: true }, { suspended: false }, /suspended/],
    ["sending is switched off", { sending: false }, { sending: true }, /turned off/],
    [
      "there is no mailing address",
      { mailingAddress: "" },
      { mailingAddress: "1 Analytical Way" },
      /mailing address/,
    ],
    ["there is no sender", { fromEmail: "" }, { fromEmail: "news@shop.example.org" }, /sender address/],
    [
      "it is quiet hours",
      { quietHours: { fromMinute: 0, toMinute: 1439 } },
      { quietHours: null },
      /quiet hours/,
    ],
    ["the daily cap would be passed", { dailyCap: 1 }, { dailyCap: 2 }, /daily cap/],
    ["the monthly limit would be passed", { monthlyLimit: 1 }, { monthlyLimit: 2 }, /monthly limit/],
  ];

  test.each(WAYS)(
    "%s: it stays SCHEDULED, is tried every minute, says why, and goes out once afterwards",
    async (_name, wrong, right, reason) => {
      await start(wrong);
      const at = NOW + MINUTE;
      const id = await scheduledAt(at, 2);
      await reach(at, waits(id));
      const tries: number[] = [nextTryOf(id)!];
      for (let minute = 1; minute <= 3; minute++) {
        const last = tries.at(-1)!;
        await reach(last, () => nextTryOf(id) !== last);
        tries.push(nextTryOf(id)!);
      }
      for (const [index, next] of tries.entries()) {
        const earlier = index === 0 ? at : tries[index - 1]!;
        expect(next - earlier).toBeGreaterThanOrEqual(MINUTE);
        expect(next - earlier).toBeLessThanOrEqual(MINUTE + 2_000);
      }
      expect(await get(id)).toMatchObject({ status: "SCHEDULED", scheduledAt: iso(at), stat: null });
      expect((await reportOf(service.api, id)).blocked).toMatch(reason);
      expect(warningsOf(service.api).map(({ message, campaign }) => [message, campaign])).toEqual([
        ["a scheduled campaign has to wait", id],
      ]);
      expect([service.api.relay.transactions, usageOf(service.api)]).toEqual([0, {}]);
      expect([sendState(service.api)["mailings"], sendState(service.api)["deliveries"]]).toEqual([[], []]);
      await set(right);
      await reach(tries.at(-1)!, isSent(id));
      expect(await reportOf(service.api, id)).toMatchObject({ planned: 2, sent: 2, blocked: null });
      await lookTwice();
      expect(service.api.relay.accepted.length).toBe(2);
    },
  );

  test("another reason than before is told and logged again, the same one not", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    const reasons = [(await reportOf(service.api, id)).blocked];
    const changes: Partial<Settings>[] = [{}, { suspended: false, dailyCap: 0 }, {}, { suspended: true }];
    for (const change of changes) {
      await set(change);
      const last = nextTryOf(id)!;
      await reach(last, () => nextTryOf(id) !== last);
      reasons.push((await reportOf(service.api, id)).blocked);
    }
    expect(reasons.map((reason) => /suspended|daily cap/.exec(reason)![0])).toEqual([
      "suspended",
      "suspended",
      "daily cap",
      "daily cap",
      "suspended",
    ]);
    // What a try wrote can be read before it is on the disk; its warning comes after.
    await lookTwice();
    expect(
      warningsOf(service.api).map(({ reason }) => /suspended|daily cap/.exec(String(reason))![0]),
    ).toEqual(["suspended", "daily cap", "suspended"]);
  });

  test("nobody left: it waits until there is somebody", async () => {
    await start();
    const id = await scheduledAt(NOW + MINUTE, 0);
    await reach(NOW + MINUTE, waits(id));
    expect((await reportOf(service.api, id)).blocked).toMatch(/Nobody is left/);
    const { listId } = await get(id);
    const { data } = (await service.api.call("POST", "/contacts", { email: "ada@example.com" })).body;
    await service.api.call("POST", `/lists/${listId}/contacts`, { contactId: data.id });
    await reach(nextTryOf(id)!, isSent(id));
    expect(mailOf(service.api)).toEqual(["ada@example.com: Spring is here"]);
  });

  test("a new time ends the waiting, and its reason", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    await set({ suspended: false });
    const at = service.clock.now() + HOUR;
    expect((await schedule(id, at)).status).toBe(200);
    expect((await reportOf(service.api, id)).blocked).toBeNull();
    await reach(at - 2_000, () => service.clock.now() >= at - 10);
    expect(service.api.relay.transactions).toBe(0);
    await reach(at, isSent(id));
    expect(service.api.relay.accepted.length).toBe(1);
  });

  test("cancelled while it waits, it is a DRAFT and never goes out", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    expect((await cancel(id)).status).toBe(200);
    await set({ suspended: false });
    service.clock.advance(HOUR);
    await lookTwice();
    expect(await get(id)).toMatchObject({ status: "DRAFT", scheduledAt: null });
    expect([(await reportOf(service.api, id)).blocked, service.api.relay.transactions]).toEqual([null, 0]);
  });
});

describe("quiet hours", () => {
  const window = (fromHour: number, toHour: number) => ({ fromMinute: fromHour * 60, toMinute: toHour * 60 });
  // The zone, the window in its hours, the schedule's time, and the end of the window. Times are UTC, worked
  // out by hand.
  const NIGHTS: [string, string, number, number, string, string][] = [
    ["an ordinary night", "Europe/Berlin", 22, 7, "2026-11-21T22:30Z", "2026-11-22T06:00Z"],
    ["after midnight", "Europe/Berlin", 22, 7, "2026-11-22T01:30Z", "2026-11-22T06:00Z"],
    ["the night that is an hour shorter", "Europe/Berlin", 22, 7, "2026-03-28T22:30Z", "2026-03-29T05:00Z"],
    ["the night that is an hour longer", "Europe/Berlin", 22, 7, "2026-10-24T21:30Z", "2026-10-25T06:00Z"],
    [
      "an hour that does not exist: the jump ends it",
      "Europe/Berlin",
      1,
      2,
      "2026-03-29T00:30Z",
      "2026-03-29T01:00Z",
    ],
    [
      "an hour that comes twice: quiet both times",
      "America/New_York",
      1,
      2,
      "2026-11-01T05:30Z",
      "2026-11-01T07:00Z",
    ],
    ["the far end of the world", "Pacific/Auckland", 22, 7, "2026-11-21T10:00Z", "2026-11-21T18:00Z"],
    ["a zone of quarter hours", "Asia/Kathmandu", 22, 7, "2026-11-21T18:00Z", "2026-11-22T01:15Z"],
    [
      "half an hour of daylight saving",
      "Australia/Lord_Howe",
      1,
      3,
      "2026-04-04T15:00Z",
      "2026-04-04T16:30Z",
    ],
  ];

  test.each(NIGHTS)(
    "%s (%s, %d to %d): SCHEDULED until they end, then out once",
    async (_name, timezone, from, to, at, end) => {
      const [atMs, endMs] = [Date.parse(at), Date.parse(end)];
      await start({ timezone, quietHours: window(from, to) }, atMs - HOUR);
      const id = await scheduledAt(atMs);
      await reach(atMs, waits(id));
      expect((await reportOf(service.api, id)).blocked).toMatch(/quiet hours/);
      // The last try before the end still finds them quiet.
      await reach(endMs - 1.5 * MINUTE, () => nextTryOf(id)! > endMs - MINUTE);
      await reach(endMs - 1, () => service.clock.now() >= endMs - 1);
      expect([statusOf(id), service.api.relay.transactions]).toEqual(["SCHEDULED", 0]);
      await reach(endMs, isSent(id));
      const { startedAt } = await reportOf(service.api, id);
      expect(Date.parse(startedAt) - endMs).toBeGreaterThanOrEqual(0);
      expect(Date.parse(startedAt) - endMs).toBeLessThanOrEqual(MINUTE + 2_000);
      await lookTwice();
      expect(service.api.relay.accepted.length).toBe(1);
      expect(warningsOf(service.api).length).toBe(1);
    },
  );

  test("do not stop a send that has started", async () => {
    // Quiet from 10:00. The relay takes the second recipient only at a later try, inside the window.
    let isLater = false;
    service.clock = manualClock(NOW);
    const later = ({ rcptTo }: { rcptTo: string[] }) =>
      rcptTo[0] === "grace@example.org" && !isLater ? "451 4.3.0 Later" : undefined;
    service.api = await startSending({ RCPT: later }, { clock: service.clock });
    await set({ quietHours: window(10, 12) });
    const id = await scheduledAt(NOW + 59 * MINUTE, ["ada@example.com", "grace@example.org"]);
    const states = () =>
      (sendState(service.api)["deliveries"] as any[]).map(({ state, attempts }) => `${state} ${attempts}`);
    await reach(NOW + 59 * MINUTE, () => states().join() === "sent 1,queued 1");
    isLater = true;
    await reach(NOW + 90 * MINUTE, isSent(id));
    expect(mailOf(service.api)).toEqual([
      "ada@example.com: Spring is here",
      "grace@example.org: Spring is here",
    ]);
  });
});

describe("a schedule that is late", () => {
  /** As if the server had been down: the time passes, then it looks. */
  async function backAfter(downMs: number): Promise<string> {
    await start();
    const id = await scheduledAt(NOW + MINUTE, 2);
    await service.api.sending.stop(0);
    service.clock.advance(MINUTE + downMs);
    service.api = await service.api.restart();
    return id;
  }

  test.each([4, 24])("by %d hours goes out once", async (hours) => {
    const id = await backAfter(hours * HOUR - 5_000);
    await runUntil(service.clock, isSent(id));
    await lookTwice();
    expect(service.api.relay.accepted.length).toBe(2);
  });

  test.each([25, 30, 24 * 365])(
    "by %d hours is held, is said to be, and goes out only once it is released",
    async (hours) => {
      const id = await backAfter(hours * HOUR);
      await runUntil(service.clock, waits(id));
      service.clock.advance(HOUR);
      await lookTwice();
      expect([statusOf(id), service.api.relay.transactions]).toEqual(["SCHEDULED", 0]);
      expect((await reportOf(service.api, id)).blocked).toContain(`postrider campaign release ${id}`);
      expect(warningsOf(service.api).filter(({ campaign }) => campaign === id).length).toBe(1);
      await service.api.services.campaigns.releaseCampaign(service.api.workspaceId, id);
      await runUntil(service.clock, isSent(id));
      await lookTwice();
      expect(service.api.relay.accepted.length).toBe(2);
      expect((await reportOf(service.api, id)).blocked).toBeNull();
    },
  );

  test("and held, sent by a person's call: it goes out once, and is held no longer", async () => {
    const id = await backAfter(30 * HOUR);
    await runUntil(service.clock, waits(id));
    const answer = await answered(service.clock, send(service.api, id));
    expect(answer.body.data).toEqual({ sent: 2, failed: 0, remaining: 0, complete: true });
    expect((await reportOf(service.api, id)).blocked).toBeNull();
    await lookTwice();
    expect(service.api.relay.accepted.length).toBe(2);
  });

  test("and held, given a new time by a person: it goes out then", async () => {
    const id = await backAfter(30 * HOUR);
    await runUntil(service.clock, waits(id));
    const at = service.clock.now() + HOUR;
    await schedule(id, at);
    await reach(at, isSent(id));
    expect(service.api.relay.accepted.length).toBe(2);
  });

  test("because a guardrail kept it waiting for days is not late: it was tried all along", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    for (let hour = 0; hour < 30; hour++) {
      const last = nextTryOf(id)!;
      await reach(service.clock.now() + HOUR, () => nextTryOf(id) !== last);
    }
    await set({ suspended: false });
    await reach(nextTryOf(id)!, isSent(id));
    expect(service.api.relay.accepted.length).toBe(1);
  });
});
