import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chain, enrollmentsOf, live, pass, settled } from "../../support/automations/automations.ts";
import { mail, NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { contactOf, person } from "../../support/people/people.ts";
import { mailOf, usageOf } from "../../support/sending/sending-state.ts";
import { drivenUntil, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

/** A Monday, 09:00 UTC. */
let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const settings = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);
const done = () => settled(api, clock);

describe("waits and mail in time", () => {
  test("a wait until a moment ends then; days are the workspace's own, over a clock change too", async () => {
    await settings({ timezone: "Europe/Berlin" });
    const id = await live(
      api,
      chain(
        NEW,
        ["a", "wait", { until: "2026-03-28T08:00:00Z" }],
        ["b", "wait", { amount: 1, unit: "days" }],
        ["out", "end"],
      ),
    );
    await person(api, "ada@example.com");
    await done();
    expect((await enrollmentsOf(api, id))[0].nextRunAt).toBe("2026-03-28T08:00:00.000Z");
    await pass(api, clock, Date.parse("2026-03-28T08:00:00Z") - clock.now());
    const [run] = await enrollmentsOf(api, id);
    expect([run.currentNodeId, run.nextRunAt.slice(0, 16)]).toEqual(["b", "2026-03-29T07:00"]);
  });

  test("who waits until a moment that is put off gets no mail before the new one", async () => {
    const until = (moment: string) =>
      chain(NEW, ["w", "wait", { until: moment }], ["m", "action", mail("Now")], ["out", "end"]);
    const id = await live(api, until("2026-01-06T09:00:00Z"));
    await person(api, "ada@example.com");
    await done();
    await api.call("PATCH", `/automations/${id}`, { flowJson: until("2026-01-08T09:00:00Z") });
    await pass(api, clock, 25 * HOUR);
    expect(mailOf(api)).toEqual([]);
    expect((await enrollmentsOf(api, id))[0]).toMatchObject({
      currentNodeId: "w",
      status: "ACTIVE",
      nextRunAt: "2026-01-08T09:00:00.000Z",
    });
    await pass(api, clock, 47 * HOUR);
    expect(mailOf(api)).toEqual(["ada@example.com: Now"]);
  });

  test("quiet hours hold a mail back, its run with it, and nothing else", async () => {
    await settings({ quietHours: { fromMinute: 8 * 60, toMinute: 11 * 60 } });
    const id = await live(
      api,
      chain(NEW, ["t", "action", { action: "add_tag", tag: "in" }], ["m", "action", mail("Hi")]),
    );
    await person(api, "ada@example.com");
    await done();
    const [run] = await enrollmentsOf(api, id);
    expect([run.currentNodeId, run.status, run.nextRunAt]).toEqual([
      "m",
      "ACTIVE",
      "2026-01-05T11:00:00.000Z",
    ]);
    expect((await contactOf(api, "ada@example.com")).tags).toEqual(["in"]);
    expect(mailOf(api)).toEqual([]);
    await pass(api, clock, 2 * HOUR);
    expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
  });

  test.each([
    ["switched off", { quietHours: null }],
    ["made shorter", { quietHours: { fromMinute: 8 * 60, toMinute: 9 * 60 + 30 } }],
    ["those of another time zone", { timezone: "Asia/Tokyo" }],
  ])(
    "mail that quiet hours hold goes out when they are %s, and waits of the flow stay",
    async (_, change) => {
      await settings({ quietHours: { fromMinute: 8 * 60, toMinute: 11 * 60 } });
      const until = { until: "2026-01-05T11:00:00Z" };
      const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
      const waits = await live(
        api,
        chain(NEW, ["w", "wait", until], ["t", "action", { action: "add_tag", tag: "in" }]),
      );
      await person(api, "ada@example.com");
      await done();
      expect(mailOf(api)).toEqual([]);
      await settings(change);
      await drivenUntil(
        clock,
        async () => (await enrollmentsOf(api, id))[0].nextRunAt !== "2026-01-05T11:00:00.000Z",
      );
      await pass(api, clock, 31 * MINUTE);
      expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
      expect((await enrollmentsOf(api, waits))[0]).toMatchObject({ currentNodeId: "w", status: "ACTIVE" });
    },
  );

  test("what was wrong before is no problem of a mail that only waits for the end of quiet hours", async () => {
    await settings({ mailingAddress: "" });
    const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await person(api, "ada@example.com");
    await done();
    const problems = async () => (await api.call("GET", `/automations/${id}/problems`)).body.data;
    expect(await problems()).toHaveLength(1);
    await settings({
      mailingAddress: "1 Analytical Way",
      quietHours: { fromMinute: 8 * 60, toMinute: 11 * 60 },
    });
    await pass(api, clock, 2 * MINUTE);
    expect((await enrollmentsOf(api, id))[0].nextRunAt).toBe("2026-01-05T11:00:00.000Z");
    expect(await problems()).toEqual([]);
  });

  test("mail that quiet hours hold stays held when they are made longer", async () => {
    await settings({ quietHours: { fromMinute: 8 * 60, toMinute: 11 * 60 } });
    const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await person(api, "ada@example.com");
    await done();
    await settings({ quietHours: { fromMinute: 8 * 60, toMinute: 13 * 60 } });
    await drivenUntil(
      clock,
      async () => (await enrollmentsOf(api, id))[0].nextRunAt === "2026-01-05T13:00:00.000Z",
    );
    await pass(api, clock, HOUR);
    expect(mailOf(api)).toEqual([]);
  });

  test("mail counts in the monthly limit, not in the daily cap; over the limit a run waits for the next month", async () => {
    await settings({ monthlyLimit: 1, dailyCap: 1 });
    const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await person(api, "a@example.com");
    await done();
    await person(api, "b@example.com");
    await done();
    expect(mailOf(api)).toEqual(["a@example.com: Hi"]);
    expect(usageOf(api)).toEqual({ "2026-01": 1 });
    const problems = async () => (await api.call("GET", `/automations/${id}/problems`)).body.data;
    const [problem] = await problems();
    expect([problem.nodeId, problem.message]).toEqual(["m", expect.stringContaining("monthly limit of 1")]);
    for (let hour = 0; hour < 48; hour++) await pass(api, clock, HOUR);
    expect((await enrollmentsOf(api, id))[0].status).toBe("ACTIVE");
    expect(await problems()).toHaveLength(1);
    await pass(api, clock, Date.parse("2026-02-01T00:00:00Z") - clock.now());
    await pass(api, clock, HOUR);
    expect(mailOf(api)).toEqual(["a@example.com: Hi", "b@example.com: Hi"]);
    expect(usageOf(api)).toEqual({ "2026-01": 1, "2026-02": 1 });
    expect(await problems()).toEqual([]);
  });

  test("who waits for the next month goes on soon after the limit is raised", async () => {
    await settings({ monthlyLimit: 0 });
    await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await person(api, "ada@example.com");
    await done();
    for (let hour = 0; hour < 30; hour++) await pass(api, clock, HOUR);
    await settings({ monthlyLimit: 1 });
    await pass(api, clock, 36 * MINUTE);
    expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
  });

  test("a workspace without a mailing address mails nobody, and goes on once it has one", async () => {
    await settings({ mailingAddress: "" });
    const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await person(api, "ada@example.com");
    await done();
    expect([mailOf(api), (await enrollmentsOf(api, id))[0].status]).toEqual([[], "ACTIVE"]);
    await settings({ mailingAddress: "1 Analytical Way" });
    await pass(api, clock, 2 * MINUTE);
    expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
  });
});
