import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  automationOf,
  chain,
  draft,
  enrollmentsOf,
  live,
  pass,
  settled,
} from "../../support/automations/automations.ts";
import { mail, NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { person } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import { driven, headerOf, numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { refusing } from "../../support/storage/traps.ts";
import { isPostgres } from "../../support/server/services.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

/** A Monday, 09:00 UTC. */
let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const record = (name: string, email: string, more: object = {}) =>
  api.call("POST", "/events", { name, email, ...more });
const settings = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);
const done = () => settled(api, clock);

describe("a trigger's first step", () => {
  const TAG = ["tag", "action", { action: "add_tag", tag: "started" }] as const;
  const tagged = () => numberOf(api, "SELECT count(*) AS n FROM enrollments WHERE status = 'COMPLETED'");

  test("is taken at once: no timer has to pass", async () => {
    await live(api, chain({ trigger: "custom_event", eventName: "signup" }, TAG), "On sign-up");
    await live(api, chain({ trigger: "tag_added", tag: "started" }), "On a tag");
    await live(api, chain(NEW), "On a new one");
    await done();
    const at = clock.now();
    await person(api, "ada@example.com");
    await eventually(() => tagged() === 1);
    await record("signup", "ada@example.com");
    await eventually(() => tagged() === 3);
    expect(clock.now()).toBe(at);
  });
});

describe("what starts an automation", () => {
  test("new_subscriber: becoming SUBSCRIBED by POST, by PATCH, and nothing else", async () => {
    const id = await live(api, chain(NEW));
    const pending = await person(api, "pending@example.com", { status: "PENDING" });
    await person(api, "out@example.com", { status: "UNSUBSCRIBED" });
    await person(api, "out@example.com", { consent: "explicit" });
    await record("seen", "event@example.com");
    await person(api, "ada@example.com");
    await person(api, "ada@example.com", { firstName: "Ada" });
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(1);
    await api.call("PATCH", `/contacts/${pending.id}`, { status: "SUBSCRIBED" });
    await done();
    expect((await enrollmentsOf(api, id)).map(({ contactId }) => contactId)[0]).toBe(pending.id);
    expect((await enrollmentsOf(api, id)).length).toBe(2);
  });

  test("tag_added: a tag gained by POST or PATCH, exactly this one, and not one that was there", async () => {
    const id = await live(api, chain({ trigger: "tag_added", tag: "vip" }));
    const ada = await person(api, "ada@example.com", { tags: ["VIP", "vip"] });
    await done();
    await api.call("PATCH", `/contacts/${ada.id}`, { tags: ["vip", "other"] });
    await person(api, "grace@example.org", { tags: ["VIP"] });
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(1);
    await api.call("PATCH", `/contacts/${ada.id}`, { tags: [] });
    await api.call("PATCH", `/contacts/${ada.id}`, { tags: ["vip"] });
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(2);
  });

  test("a tag taken off many and given back starts nothing anew where `startAutomations` is false", async () => {
    const id = await live(api, chain({ trigger: "tag_added", tag: "vip" }, ["mail", "action", mail("Hi")]));
    const ada = await person(api, "ada@example.com", { tags: ["vip"] });
    await done();
    const act = async (action: string, more: object = {}) => {
      const body = { action, tag: "vip", contactIds: [ada.id], ...more };
      expect((await api.call("POST", "/contacts/actions", body)).body.data.changed).toBe(1);
      await done();
      return [(await enrollmentsOf(api, id)).length, api.relay.accepted.length];
    };
    await act("removeTag");
    expect(await act("addTag", { startAutomations: false })).toEqual([1, 1]);
    await act("removeTag");
    expect(await act("addTag")).toEqual([2, 2]);
  });

  test("custom_event: every event of the name however it is spelled, a duplicate not", async () => {
    const id = await live(api, chain({ trigger: "custom_event", eventName: "Order Placed" }));
    await record("orderPlaced", "ada@example.com", { externalId: "1" });
    await record("order-placed", "ada@example.com", { externalId: "1" });
    await record("order_cancelled", "ada@example.com");
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(1);
  });

  test("a form's submission and a confirmation", async () => {
    const id = await live(api, chain(NEW));
    const form = (await api.call("POST", "/forms", { name: "News" })).body.data;
    const submit = (email: string) =>
      driven(
        clock,
        fetch(`${api.url}/api/forms/${form.id}/submit`, { method: "POST", body: JSON.stringify({ email }) }),
      );
    expect((await submit("ada@example.com")).status).toBe(200);
    await settings({ doubleOptIn: true });
    await submit("grace@example.org");
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(1);
  });

  test("reenroll: once keeps who has been in out, each_time lets them in again, ACTIVE twice never", async () => {
    const event = { trigger: "custom_event", eventName: "seen" };
    const wait = ["wait", "wait", { amount: 1, unit: "hours" }] as const;
    const each = await live(api, chain(event, wait));
    const once = await live(api, chain({ ...event, reenroll: "once" }, wait));
    for (let i = 0; i < 3; i++) await record("seen", "ada@example.com");
    await done();
    expect([(await enrollmentsOf(api, each)).length, (await enrollmentsOf(api, once)).length]).toEqual([
      1, 1,
    ]);
    await pass(api, clock, HOUR);
    await record("seen", "ada@example.com");
    await done();
    expect([(await enrollmentsOf(api, each)).length, (await enrollmentsOf(api, once)).length]).toEqual([
      2, 1,
    ]);
  });

  test("without a wait, every event and every tag has its run, however fast they come", async () => {
    const seen = chain({ trigger: "custom_event", eventName: "seen" }, [
      "mail",
      "action",
      mail("Order {{ event.properties.no }}"),
    ]);
    const byEvent = await live(api, seen);
    const byTag = await live(api, chain({ trigger: "tag_added", tag: "vip" }, ["out", "end"]));
    const ada = await person(api, "ada@example.com");
    const events = Array.from({ length: 10 }, (_, no) => ({
      name: "seen",
      email: "ada@example.com",
      properties: { no },
    }));
    await api.call("POST", "/events/bulk", { events });
    for (let i = 0; i < 5; i++)
      for (const tags of [["vip"], []]) await api.call("PATCH", `/contacts/${ada.id}`, { tags });
    await done();
    expect((await enrollmentsOf(api, byEvent)).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => "COMPLETED"),
    );
    expect((await enrollmentsOf(api, byTag)).length).toBe(5);
    const subjects = api.relay.accepted.map(({ raw }) => headerOf(raw, "Subject"));
    expect(new Set(subjects)).toEqual(new Set(events.map(({ properties }) => `Order ${properties.no}`)));
  });

  test("100 triggers at once make one active enrollment", async () => {
    const id = await live(
      api,
      chain({ trigger: "custom_event", eventName: "seen" }, ["wait", "wait", { amount: 1, unit: "days" }]),
    );
    await Promise.all(Array.from({ length: 100 }, () => record("seen", "ada@example.com")));
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(1);
    expect((await automationOf(api, id)).activeEnrollments).toBe(1);
  });

  test("nothing while it is a DRAFT or PAUSED; what came while PAUSED is not made up for", async () => {
    const id = await draft(api, chain(NEW));
    await person(api, "a@example.com");
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    await api.call("PATCH", `/automations/${id}`, { status: "PAUSED" });
    await person(api, "b@example.com");
    await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
    await done();
    expect(await enrollmentsOf(api, id)).toEqual([]);
    expect(numberOf(api, "SELECT count(*) AS n FROM automation_starts")).toBe(0);
  });

  test("a trigger is written only where somebody listens, in the same transaction as the change", async () => {
    // The engine takes a trigger at once; how many there ever were it leaves.
    const written = () =>
      numberOf(
        api,
        isPostgres
          ? "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('automation_starts', 'seq')::regclass), 0) AS n"
          : "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'automation_starts'), 0) AS n",
      );
    await person(api, "nobody-listens@example.com", { tags: ["vip"] });
    expect(written()).toBe(0);
    await live(api, chain({ trigger: "tag_added", tag: "vip" }));
    await person(api, "ada@example.com", { tags: ["vip"] });
    expect(written()).toBe(1);
  });

  test("a start that fails undoes no change, shows among the problems, and is tried again", async () => {
    const id = await live(api, chain(NEW));
    const release = await refusing(api, "BEFORE INSERT ON enrollments", "no room");
    expect((await api.call("POST", "/contacts", { email: "ada@example.com" })).status).toBe(201);
    await done();
    expect(await enrollmentsOf(api, id)).toEqual([]);
    const [problem] = (await api.call("GET", `/automations/${id}/problems`)).body.data;
    expect(problem.message).toContain("1 start could not go on");
    expect(problem.message).toContain("no room");
    await release();
    await pass(api, clock, 2 * MINUTE);
    expect((await enrollmentsOf(api, id)).length).toBe(1);
    expect((await api.call("GET", `/automations/${id}/problems`)).body.data).toEqual([]);
  });
});

describe("automations that cause each other", () => {
  test.each([2, 3, 4, 10])(
    "come to rest: %d of them, each adding the tag that starts the next",
    async (ring) => {
      for (let i = 0; i < ring; i++)
        await live(
          api,
          chain(
            { trigger: "tag_added", tag: `t${i}` },
            ["off", "action", { action: "remove_tag", tag: `t${i}` }],
            ["m", "action", mail(`Mail ${i}`)],
            ["on", "action", { action: "add_tag", tag: `t${(i + 1) % ring}` }],
          ),
        );
      await person(api, "ada@example.com", { tags: ["t0"] });
      await done();
      expect(mailOf(api).length).toBe(6);
      expect(numberOf(api, "SELECT count(*) AS n FROM enrollments WHERE status = 'COMPLETED'")).toBe(6);
      expect(numberOf(api, "SELECT count(*) AS n FROM enrollments WHERE status = 'ACTIVE'")).toBe(0);
    },
  );

  test("say so where a chain without a wait is too long: who would enter the seventh has FAILED there", async () => {
    const ids = [];
    for (let i = 0; i < 8; i++)
      ids.push(
        await live(
          api,
          chain({ trigger: "tag_added", tag: `s${i}` }, [
            "on",
            "action",
            { action: "add_tag", tag: `s${i + 1}` },
          ]),
        ),
      );
    await person(api, "ada@example.com", { tags: ["s0"] });
    await done();
    const [sixth, seventh, eighth] = await Promise.all(ids.slice(5).map((id) => enrollmentsOf(api, id)));
    expect(sixth).toMatchObject([{ status: "COMPLETED" }]);
    expect(seventh).toMatchObject([
      { status: "FAILED", errorMessage: expect.stringContaining("6 automations started each other before") },
    ]);
    expect(eighth).toEqual([]);
  });

  test("go on as long as they wait: each stage starts the next, however many there are", async () => {
    for (let i = 0; i < 8; i++)
      await live(
        api,
        chain(
          { trigger: "tag_added", tag: `s${i}` },
          ["m", "action", mail(`Stage ${i}`)],
          ["w", "wait", { amount: 1, unit: "hours" }],
          ["on", "action", { action: "add_tag", tag: `s${i + 1}` }],
        ),
      );
    await person(api, "ada@example.com", { tags: ["s0"] });
    await done();
    for (let i = 0; i < 8; i++) await pass(api, clock, HOUR);
    expect(mailOf(api).length).toBe(8);
    expect(numberOf(api, "SELECT count(*) AS n FROM enrollments WHERE status = 'COMPLETED'")).toBe(8);
  });

  test("an automation its own action starts does not enter twice", async () => {
    const id = await live(
      api,
      chain(
        { trigger: "tag_added", tag: "x" },
        ["off", "action", { action: "remove_tag", tag: "x" }],
        ["on", "action", { action: "add_tag", tag: "x" }],
        ["w", "wait", { amount: 1, unit: "hours" }],
      ),
    );
    await person(api, "ada@example.com", { tags: ["x"] });
    await done();
    expect((await enrollmentsOf(api, id)).length).toBe(1);
  });
});
