import { afterEach, describe, expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings.ts";
import { rowOf } from "../support/campaigns.ts";
import { manualClock, type ManualClock } from "../support/manual-clock.ts";
import {
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../support/sending.ts";
import {
  addReaders,
  answered,
  mailOf,
  otherWorkspace,
  standingClock,
  runUntil,
  sendState,
  usageOf,
  warningsOf,
} from "../support/sending-state.ts";

const NOW = Date.UTC(2026, 10, 21, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let api: SendingApi;
let clock: ManualClock;
afterEach(() => api.stop({ graceMs: 0 }));

const start = async (settings: Partial<Settings> = {}, startAt = NOW): Promise<void> => {
  clock = manualClock(startAt);
  api = await startSending({}, { clock });
  await set(settings);
};

const set = (change: Partial<Settings>) => api.services.workspaces.changeSettings(api.workspaceId, change);
const get = async (id: string): Promise<any> => (await api.call("GET", `/campaigns/${id}`)).body.data;
const iso = (at: number) => new Date(at).toISOString();
const schedule = (id: string, at: number, of = api) =>
  of.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: iso(at) });
const cancel = (id: string) => api.call("DELETE", `/campaigns/${id}/schedule`);
const refusal = (answer: { status: number; body: any }) => [answer.status, answer.body?.error?.code];
const ALREADY_SENT = [422, "CAMPAIGN_ALREADY_SENT"];

let readers = 0;
async function scheduledAt(at: number, who: number | readonly string[] = 1, of = api): Promise<string> {
  const addresses =
    typeof who === "number" ? Array.from({ length: who }, () => `reader-s-${++readers}@example.com`) : who;
  const id = await makeCampaign(of, (await makeAudience(of, addresses)).listId);
  expect((await schedule(id, at, of)).status).toBe(200);
  return id;
}

const statusOf = (id: string): string => rowOf(api, id).status;
const isSent = (id: string) => () => statusOf(id) === "SENT";
const waits = (id: string) => () => rowOf(api, id).blocked !== null;
/** When the campaign is looked at next; null once it is not waiting any more. */
const nextTryOf = (id: string): number | null => rowOf(api, id).next_try_at;

/** Jumps to just before an instant, then lets the clock run. */
async function reach(at: number, holds: () => boolean): Promise<void> {
  clock.advance(Math.max(0, at - clock.now()));
  await runUntil(clock, holds);
}

/** Lets the scheduler look twice, so that whatever is due has had its turn. */
async function lookTwice(): Promise<void> {
  const until = clock.now() + 2_100;
  await runUntil(clock, () => clock.now() >= until);
}

describe("a schedule in a restored copy", () => {
  test("is held although it is still to come, and goes out at its time once it is released", async () => {
    await start();
    const [released, kept] = [await scheduledAt(NOW + HOUR), await scheduledAt(NOW + HOUR)];
    expect(await api.services.ledger.openRun(NOW, true)).toMatchObject({ held: 2 });
    await api.services.campaigns.releaseCampaign(api.workspaceId, released);
    await lookTwice();
    expect(api.relay.transactions).toBe(0);
    await reach(NOW + HOUR, isSent(released));
    await lookTwice();
    expect([statusOf(kept), api.relay.accepted.length]).toEqual(["SCHEDULED", 1]);
    expect((await reportOf(api, kept)).blocked).toContain(`postrider campaign release ${kept}`);
  });
});

describe("a schedule that is due", () => {
  test("starts within 2 seconds of its time, not before, and once", async () => {
    await start();
    const at = NOW + 5 * MINUTE + 437;
    const id = await scheduledAt(at, 3);
    await reach(at - 1_000, () => clock.now() >= at - 1);
    expect([statusOf(id), api.relay.transactions]).toEqual(["SCHEDULED", 0]);
    await runUntil(clock, isSent(id));
    const { startedAt } = await reportOf(api, id);
    expect(Date.parse(startedAt) - at).toBeGreaterThanOrEqual(0);
    expect(Date.parse(startedAt) - at).toBeLessThanOrEqual(2_000);
    await lookTwice();
    expect(api.relay.accepted.length).toBe(3);
    expect(await get(id)).toMatchObject({ status: "SENT", scheduledAt: iso(at) });
    expect(warningsOf(api)).toEqual([]);
  });

  test("starts by the machine's own clock, and not before its time", async () => {
    api = await startSending();
    const id = await makeCampaign(api, (await makeAudience(api, 2)).listId);
    // A schedule is at least 30 seconds ahead over HTTP; a test does not wait that long.
    const at = Date.now() + 300;
    const { sqlite } = api.services.database;
    sqlite
      .query("UPDATE campaigns SET status = 'SCHEDULED', scheduled_at = ?, next_try_at = ? WHERE id = ?")
      .run(at, at, id);
    await api.relay.reached("DOT");
    // How late it may be is said above, by a clock that a busy machine does not hold up.
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  test("does not wait for another campaign's long list, nor for one that cannot start", async () => {
    await start();
    const at = NOW + MINUTE;
    const empty = await scheduledAt(at, 0);
    const many = await scheduledAt(at, 1);
    addReaders(api, many, 20_000);
    const small = await scheduledAt(at + 1, 1);
    await reach(at, waits(empty));
    await runUntil(clock, isSent(small));
    expect(Date.parse((await reportOf(api, small)).startedAt) - at).toBeLessThanOrEqual(2_000);
    expect(statusOf(empty)).toBe("SCHEDULED");
  });

  test("goes to whoever is on the list by then, with what the campaign says by then", async () => {
    await start();
    const id = await scheduledAt(NOW + MINUTE, ["ada@example.com"]);
    const { listId } = await get(id);
    await api.call("PATCH", `/campaigns/${id}`, { subject: "Changed my mind" });
    const grace = (await api.call("POST", "/contacts", { email: "grace@example.org" })).body.data.id;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: grace });
    await reach(NOW + MINUTE, isSent(id));
    expect(mailOf(api).toSorted()).toEqual([
      "ada@example.com: Changed my mind",
      "grace@example.org: Changed my mind",
    ]);
  });
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
      expect((await reportOf(api, id)).blocked).toMatch(reason);
      expect(warningsOf(api).map(({ message, campaign }) => [message, campaign])).toEqual([
        ["a scheduled campaign has to wait", id],
      ]);
      expect([api.relay.transactions, usageOf(api)]).toEqual([0, {}]);
      expect([sendState(api)["mailings"], sendState(api)["deliveries"]]).toEqual([[], []]);
      await set(right);
      await reach(tries.at(-1)!, isSent(id));
      expect(await reportOf(api, id)).toMatchObject({ planned: 2, sent: 2, blocked: null });
      await lookTwice();
      expect(api.relay.accepted.length).toBe(2);
    },
  );

  test("another reason than before is told and logged again, the same one not", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    const reasons = [(await reportOf(api, id)).blocked];
    const changes: Partial<Settings>[] = [{}, { suspended: false, dailyCap: 0 }, {}, { suspended: true }];
    for (const change of changes) {
      await set(change);
      const last = nextTryOf(id)!;
      await reach(last, () => nextTryOf(id) !== last);
      reasons.push((await reportOf(api, id)).blocked);
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
    expect(warningsOf(api).map(({ reason }) => /suspended|daily cap/.exec(String(reason))![0])).toEqual([
      "suspended",
      "daily cap",
      "suspended",
    ]);
  });

  test("nobody left: it waits until there is somebody", async () => {
    await start();
    const id = await scheduledAt(NOW + MINUTE, 0);
    await reach(NOW + MINUTE, waits(id));
    expect((await reportOf(api, id)).blocked).toMatch(/Nobody is left/);
    const { listId } = await get(id);
    const { data } = (await api.call("POST", "/contacts", { email: "ada@example.com" })).body;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: data.id });
    await reach(nextTryOf(id)!, isSent(id));
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
  });

  test("a new time ends the waiting, and its reason", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    await set({ suspended: false });
    const at = clock.now() + HOUR;
    expect((await schedule(id, at)).status).toBe(200);
    expect((await reportOf(api, id)).blocked).toBeNull();
    await reach(at - 2_000, () => clock.now() >= at - 10);
    expect(api.relay.transactions).toBe(0);
    await reach(at, isSent(id));
    expect(api.relay.accepted.length).toBe(1);
  });

  test("cancelled while it waits, it is a DRAFT and never goes out", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    expect((await cancel(id)).status).toBe(200);
    await set({ suspended: false });
    clock.advance(HOUR);
    await lookTwice();
    expect(await get(id)).toMatchObject({ status: "DRAFT", scheduledAt: null });
    expect([(await reportOf(api, id)).blocked, api.relay.transactions]).toEqual([null, 0]);
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
      expect((await reportOf(api, id)).blocked).toMatch(/quiet hours/);
      // The last try before the end still finds them quiet.
      await reach(endMs - 1.5 * MINUTE, () => nextTryOf(id)! > endMs - MINUTE);
      await reach(endMs - 1, () => clock.now() >= endMs - 1);
      expect([statusOf(id), api.relay.transactions]).toEqual(["SCHEDULED", 0]);
      await reach(endMs, isSent(id));
      const { startedAt } = await reportOf(api, id);
      expect(Date.parse(startedAt) - endMs).toBeGreaterThanOrEqual(0);
      expect(Date.parse(startedAt) - endMs).toBeLessThanOrEqual(MINUTE + 2_000);
      await lookTwice();
      expect(api.relay.accepted.length).toBe(1);
      expect(warningsOf(api).length).toBe(1);
    },
  );

  test("do not stop a send that has started", async () => {
    // Quiet from 10:00. The relay takes the second recipient only at a later try, inside the window.
    let isLater = false;
    clock = manualClock(NOW);
    const later = ({ rcptTo }: { rcptTo: string[] }) =>
      rcptTo[0] === "grace@example.org" && !isLater ? "451 4.3.0 Later" : undefined;
    api = await startSending({ RCPT: later }, { clock });
    await set({ quietHours: window(10, 12) });
    const id = await scheduledAt(NOW + 59 * MINUTE, ["ada@example.com", "grace@example.org"]);
    const states = () =>
      (sendState(api)["deliveries"] as any[]).map(({ state, attempts }) => `${state} ${attempts}`);
    await reach(NOW + 59 * MINUTE, () => states().join() === "sent 1,queued 1");
    isLater = true;
    await reach(NOW + 90 * MINUTE, isSent(id));
    expect(mailOf(api)).toEqual(["ada@example.com: Spring is here", "grace@example.org: Spring is here"]);
  });
});

describe("a schedule that is late", () => {
  /** As if the server had been down: the time passes, then it looks. */
  async function backAfter(downMs: number): Promise<string> {
    await start();
    const id = await scheduledAt(NOW + MINUTE, 2);
    await api.sending.stop(0);
    clock.advance(MINUTE + downMs);
    api = await api.restart();
    return id;
  }

  test.each([4, 24])("by %d hours goes out once", async (hours) => {
    const id = await backAfter(hours * HOUR - 5_000);
    await runUntil(clock, isSent(id));
    await lookTwice();
    expect(api.relay.accepted.length).toBe(2);
  });

  test.each([25, 30, 24 * 365])(
    "by %d hours is held, is said to be, and goes out only once it is released",
    async (hours) => {
      const id = await backAfter(hours * HOUR);
      await runUntil(clock, waits(id));
      clock.advance(HOUR);
      await lookTwice();
      expect([statusOf(id), api.relay.transactions]).toEqual(["SCHEDULED", 0]);
      expect((await reportOf(api, id)).blocked).toContain(`postrider campaign release ${id}`);
      expect(warningsOf(api).filter(({ campaign }) => campaign === id).length).toBe(1);
      await api.services.campaigns.releaseCampaign(api.workspaceId, id);
      await runUntil(clock, isSent(id));
      await lookTwice();
      expect(api.relay.accepted.length).toBe(2);
      expect((await reportOf(api, id)).blocked).toBeNull();
    },
  );

  test("and held, sent by a person's call: it goes out once, and is held no longer", async () => {
    const id = await backAfter(30 * HOUR);
    await runUntil(clock, waits(id));
    const answer = await answered(clock, send(api, id));
    expect(answer.body.data).toEqual({ sent: 2, failed: 0, remaining: 0, complete: true });
    expect((await reportOf(api, id)).blocked).toBeNull();
    await lookTwice();
    expect(api.relay.accepted.length).toBe(2);
  });

  test("and held, given a new time by a person: it goes out then", async () => {
    const id = await backAfter(30 * HOUR);
    await runUntil(clock, waits(id));
    const at = clock.now() + HOUR;
    await schedule(id, at);
    await reach(at, isSent(id));
    expect(api.relay.accepted.length).toBe(2);
  });

  test("because a guardrail kept it waiting for days is not late: it was tried all along", async () => {
    await start({ suspended: true });
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, waits(id));
    for (let hour = 0; hour < 30; hour++) {
      const last = nextTryOf(id)!;
      await reach(clock.now() + HOUR, () => nextTryOf(id) !== last);
    }
    await set({ suspended: false });
    await reach(nextTryOf(id)!, isSent(id));
    expect(api.relay.accepted.length).toBe(1);
  });
});

describe("changing a schedule", () => {
  test("a new time takes the place of the old one, earlier or later", async () => {
    await start();
    const [later, earlier] = [await scheduledAt(NOW + HOUR), await scheduledAt(NOW + 3 * HOUR)];
    expect((await schedule(later, NOW + 2 * HOUR)).body.data.scheduledAt).toBe(iso(NOW + 2 * HOUR));
    await schedule(earlier, NOW + HOUR);
    await reach(NOW + HOUR, isSent(earlier));
    await lookTwice();
    expect(statusOf(later)).toBe("SCHEDULED");
    await reach(NOW + 2 * HOUR, isSent(later));
    clock.advance(2 * HOUR);
    await lookTwice();
    expect(api.relay.accepted.length).toBe(2);
  });

  test("a SCHEDULED campaign that is sent by hand goes out once, not again at its time", async () => {
    await start();
    const id = await scheduledAt(NOW + HOUR, 3);
    const answer = await answered(clock, send(api, id));
    expect(answer.body.data).toEqual({ sent: 3, failed: 0, remaining: 0, complete: true });
    expect(statusOf(id)).toBe("SENT");
    clock.advance(2 * HOUR);
    await lookTwice();
    expect(api.relay.accepted.length).toBe(3);
  });

  test("its list deleted, it is a DRAFT and does not go out", async () => {
    await start();
    const id = await scheduledAt(NOW + HOUR, 3);
    const { listId } = await get(id);
    expect((await api.call("DELETE", `/lists/${listId}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: "DRAFT", scheduledAt: null, listId: null });
    clock.advance(2 * HOUR);
    await lookTwice();
    expect([statusOf(id), api.relay.transactions]).toEqual(["DRAFT", 0]);
  });

  test("deleted, it does not go out", async () => {
    await start();
    const id = await scheduledAt(NOW + HOUR, 3);
    expect((await api.call("DELETE", `/campaigns/${id}`)).status).toBe(204);
    clock.advance(2 * HOUR);
    await lookTwice();
    expect(api.relay.transactions).toBe(0);
  });
});

describe("races", () => {
  /** Campaigns to one person each, all due at once; `act` on each while the scheduler starts them. */
  async function race(
    count: number,
    act: (id: string) => Promise<{ status: number; body: any }>,
  ): Promise<Map<string, number[]>> {
    await start();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const id = await makeCampaign(api, (await makeAudience(api, [`racer-${i}@example.com`])).listId, {
        subject: `Race ${i}`,
      });
      await schedule(id, NOW + HOUR);
      ids.push(id);
    }
    clock.advance(HOUR);
    clock.advance(1_000);
    // Every other one is a few turns of the event loop behind.
    const answers = await answered(
      clock,
      Promise.all(
        ids.map(async (id, i) => {
          for (let turn = 0; turn < i % 12; turn++) await new Promise((resolve) => setImmediate(resolve));
          return refusal(await act(id)) as number[];
        }),
      ),
    );
    await runUntil(clock, () => ids.every((id) => statusOf(id) !== "SCHEDULED"));
    await lookTwice();
    return new Map(ids.map((id, i) => [id, answers[i]!]));
  }

  const mailed = (i: number) =>
    api.relay.accepted.filter(({ rcptTo }) => rcptTo[0] === `racer-${i}@example.com`).length;

  test("a schedule cancelled in the instant it is due is either cancelled or sent, never both", async () => {
    const outcomes = [...(await race(50, cancel))].map(([id, answer], i) => [
      ...answer,
      statusOf(id),
      mailed(i),
    ]);
    const cancelled = [200, undefined, "DRAFT", 0];
    const sent = [...ALREADY_SENT, "SENT", 1];
    for (const outcome of outcomes) expect([cancelled, sent]).toContainEqual(outcome);
    expect(api.relay.accepted.length).toBe(outcomes.filter(([status]) => status === 422).length);
    expect(warningsOf(api)).toEqual([]);
  });

  test("a schedule put off in the instant it is due goes out now or then, never twice", async () => {
    const at = NOW + 5 * HOUR;
    await start();
    const outcomes = await race(20, async (id) => {
      const answer = await schedule(id, at);
      if (answer.status === 200) await cancel(id);
      return answer;
    });
    for (const [i, [id, answer]] of [...outcomes].entries()) {
      const outcome = [...answer, statusOf(id), mailed(i)];
      expect([
        [200, undefined, "DRAFT", 0],
        [...ALREADY_SENT, "SENT", 1],
      ]).toContainEqual(outcome);
    }
  });

  test("a schedule that is due while it is sent by hand goes out once", async () => {
    const outcomes = await race(30, (id) => send(api, id));
    for (const [i, [id, [status, code]]] of [...outcomes].entries()) {
      expect([200, 422]).toContain(status!);
      expect([undefined, "CAMPAIGN_ALREADY_SENT"]).toContain(code as any);
      expect([statusOf(id), mailed(i)]).toEqual(["SENT", 1]);
    }
  });
});

describe("the wall clock", () => {
  test.each([
    ["a day forward", 24 * HOUR],
    ["a day back", -24 * HOUR],
    ["beyond 2038", 15 * 365 * 24 * HOUR],
  ])("jumping %s in the middle of a send mails nobody twice and leaves nobody out", async (_name, byMs) => {
    const wall = standingClock(NOW);
    let accepted = 0;
    const jump = (): undefined => void (++accepted === 10 && (wall.at += byMs));
    api = await startSending({ DOT: jump }, { clock: wall });
    const { listId, addresses } = await makeAudience(api, 40);
    const id = await makeCampaign(api, listId);
    expect((await send(api, id)).body.data).toEqual({ sent: 40, failed: 0, remaining: 0, complete: true });
    expect(api.relay.accepted.flatMap(({ rcptTo }) => rcptTo).toSorted()).toEqual(addresses.toSorted());
    expect(await get(id)).toMatchObject({ status: "SENT", sentAt: iso(wall.at) });
    expect(usageOf(api)).toEqual({ "2026-11-21": 40, "2026-11": 40 });
  });

  test("stepping back after a schedule went out does not send it again", async () => {
    await start();
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, isSent(id));
    const real = clock.now;
    clock.now = () => real() - HOUR;
    clock.advance(2 * HOUR);
    await lookTwice();
    expect(api.relay.accepted.length).toBe(1);
  });
});

describe("two workspaces", () => {
  test("have their own suppressions, blocked domains and guardrails, for the same people", async () => {
    await start();
    const other = await otherWorkspace(api);
    const people = ["ada@example.com", "grace@example.org", "linus@example.net"];
    const at = NOW + MINUTE;
    const [mine, theirs] = [await scheduledAt(at, people), await scheduledAt(at, people, other)];
    await api.services.suppressions.add(api.workspaceId, "ada@example.com");
    await api.services.suppressions.blockDomain(other.workspaceId, "example.org");
    await other.services.workspaces.changeSettings(other.workspaceId, {
      quietHours: { fromMinute: 0, toMinute: 1439 },
    });
    await reach(at, isSent(mine));
    await runUntil(clock, waits(theirs));
    expect(mailOf(api).toSorted()).toEqual([
      "grace@example.org: Spring is here",
      "linus@example.net: Spring is here",
    ]);
    expect((await api.call("GET", `/campaigns/${theirs}`)).status).toBe(404);
    expect((await api.call("POST", `/campaigns/${theirs}/send`)).status).toBe(404);
    await other.services.workspaces.changeSettings(other.workspaceId, { quietHours: null });
    await reach(nextTryOf(theirs)!, isSent(theirs));
    expect(mailOf(api).slice(2).toSorted()).toEqual([
      "ada@example.com: Spring is here",
      "linus@example.net: Spring is here",
    ]);
    expect((await reportOf(api, mine)).skipped).toEqual({ SUPPRESSED: 1 });
    expect((await reportOf(other, theirs)).skipped).toEqual({ BLOCKED_DOMAIN: 1 });
    expect([usageOf(api)["2026-11-21"], usageOf(other)["2026-11-21"]]).toEqual([2, 2]);
  });
});
