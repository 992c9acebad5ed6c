import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  automationOf,
  chain,
  enrollmentsOf,
  live,
  pass,
  settled,
} from "../../support/automations/automations.ts";
import { mail, NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { mailOf, usageOf } from "../../support/sending/sending-state.ts";
import { drivenUntil, numberIn, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { DAY, HOUR } from "../../support/common/durations.ts";

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

describe("pausing, deleting, and people who go", () => {
  test("PAUSED nobody moves; LIVE again everybody goes on where they stood", async () => {
    const id = await live(
      api,
      chain(NEW, ["w", "wait", { amount: 1, unit: "hours" }], ["m", "action", mail("Hi")]),
    );
    await person(api, "ada@example.com");
    await done();
    await api.call("PATCH", `/automations/${id}`, { status: "PAUSED" });
    await pass(api, clock, DAY);
    expect([mailOf(api), (await enrollmentsOf(api, id))[0].currentNodeId]).toEqual([[], "w"]);
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    await done();
    expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
  });

  test.each([
    ["PAUSED", (id: string) => api.call("PATCH", `/automations/${id}`, { status: "PAUSED" })],
    ["deleted", (id: string) => api.call("DELETE", `/automations/${id}`)],
  ] as const)("no mail that waits in the ledger goes out once it is %s", async (how, end) => {
    await settings({ sending: false });
    const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await person(api, "ada@example.com");
    await drivenUntil(
      clock,
      async () => (await numberIn(api, "SELECT count(*) FROM deliveries WHERE state = 'queued'")) === 1,
    );
    await end(id);
    await settings({ sending: true });
    await pass(api, clock, HOUR);
    expect(mailOf(api)).toEqual([]);
    if (how === "deleted") return expect(usageOf(api)).toEqual({});
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    await done();
    expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
  });

  test("a deleted automation leaves no run, no trigger and no count behind", async () => {
    const id = await live(api, chain(NEW, ["w", "wait", { amount: 1, unit: "hours" }]));
    for (let i = 0; i < 10; i++) await person(api, `r${i}@example.com`);
    await done();
    await api.call("DELETE", `/automations/${id}`);
    await drivenUntil(clock, async () => (await numberIn(api, "SELECT count(*) FROM automations")) === 0);
    for (const table of [
      "enrollments",
      "enrollment_counts",
      "automation_flows",
      "automation_listeners",
      "automation_starts",
    ])
      expect(await numberIn(api, `SELECT count(*) FROM ${table}`)).toBe(0);
    expect(
      await numberIn(api, "SELECT coalesce(sum(n), 0) FROM record_counts WHERE kind = 'automation'"),
    ).toBe(0);
  });

  test("a deleted contact's run is gone, and holds nobody up", async () => {
    const id = await live(
      api,
      chain(NEW, ["w", "wait", { amount: 1, unit: "hours" }], ["m", "action", mail("Hi")]),
    );
    const ada = await person(api, "ada@example.com");
    await person(api, "grace@example.org");
    await done();
    await api.call("DELETE", `/contacts/${ada.id}`);
    await pass(api, clock, HOUR);
    expect(mailOf(api)).toEqual(["grace@example.org: Hi"]);
    expect((await enrollmentsOf(api, id)).length).toBe(1);
    expect((await automationOf(api, id)).activeEnrollments).toBe(0);
  });

  test("who opts out in the middle gets no further mail", async () => {
    await live(
      api,
      chain(
        NEW,
        ["m", "action", mail("One")],
        ["w", "wait", { amount: 1, unit: "hours" }],
        ["n", "action", mail("Two")],
      ),
    );
    await person(api, "ada@example.com");
    await done();
    const link = /<https:\/\/mail\.example\.org(\/u\/[\w-]+)>/.exec(api.relay.accepted[0]!.raw)![1]!;
    await fetch(api.url + link, { method: "POST" });
    await pass(api, clock, HOUR);
    expect(mailOf(api)).toEqual(["ada@example.com: One"]);
  });

  test("found in a restored backup, every LIVE automation is PAUSED, and a person decides", async () => {
    const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
    await settings({ sending: false });
    await person(api, "ada@example.com");
    await drivenUntil(clock, async () => (await numberIn(api, "SELECT count(*) FROM deliveries")) === 1);
    expect(await api.services.ledger.join(clock.now(), true)).toMatchObject({ held: 1 });
    await settings({ sending: true });
    await person(api, "grace@example.org");
    await pass(api, clock, DAY);
    expect([(await automationOf(api, id)).status, mailOf(api)]).toEqual(["PAUSED", []]);
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    await person(api, "linus@example.com");
    await done();
    expect(mailOf(api)).toEqual(["linus@example.com: Hi"]);
  });

  test.each(["LIVE", "PAUSED"] as const)(
    "what was queued in a restored backup goes out once it was released and its automation is LIVE; it was %s then",
    async (status) => {
      const id = await live(api, chain(NEW, ["m", "action", mail("Hi")]));
      await settings({ sending: false });
      await person(api, "ada@example.com");
      await drivenUntil(clock, async () => (await numberIn(api, "SELECT count(*) FROM deliveries")) === 1);
      await api.services.ledger.join(clock.now(), true);
      await settings({ sending: true });
      if (status === "LIVE") await api.call("PATCH", `/automations/${id}`, { status });
      await pass(api, clock, HOUR);
      expect(mailOf(api)).toEqual([]);
      const released = (of: string) => api.services.automations.release(api.workspaceId, of).catch(String);
      expect(await released(id)).toBeUndefined();
      await pass(api, clock, HOUR);
      expect(mailOf(api)).toEqual(status === "LIVE" ? ["ada@example.com: Hi"] : []);
      await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
      await done();
      expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
      expect(await released(id)).toContain("nothing to release");
      expect(await released("aut_no")).toContain("aut_no");
    },
  );
});
