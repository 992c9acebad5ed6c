import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { automationOf, chain, draft } from "../../support/automations/automations.ts";
import { edges, node } from "../../support/automations/flows.ts";
import { person } from "../../support/people/people.ts";
import { numberOf, SENDER } from "../../support/sending/sending.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
});
afterAll(() => api.stop());

const simulate = (id: string, body: unknown) => api.call("POST", `/automations/${id}/simulate`, body);
const walk = async (id: string, body: object): Promise<any> => {
  const { status, body: answer } = await simulate(id, body);
  expect(status).toBe(200);
  return answer.data;
};
const path = ({ steps }: any): string[] => steps.map(({ nodeId }: any) => nodeId);

/** A welcome that waits two days and reminds whoever has not opened. */
const welcome = {
  nodes: [
    node("in", "trigger", { trigger: "new_subscriber" }),
    node("hello", "action", {
      action: "send_email",
      subject: "Hi {{ contact.firstName }}",
      html: "<p>x</p>",
    }),
    node("wait", "wait", { amount: 2, unit: "days" }),
    node("opened", "condition", { all: [{ field: "opened", op: "exists", value: "hello" }] }),
    node("tag", "action", { action: "add_tag", tag: "reader" }),
    node("remind", "action", { action: "send_email", subject: "Again", html: "<p>x</p>" }),
  ],
  edges: edges("in>hello", "hello>wait", "wait>opened", "opened>tag true", "opened>remind false"),
};

describe("POST /automations/{id}/simulate", () => {
  test("walks from the given moment; `opens` takes the other branch; nothing is written and nothing sent", async () => {
    const id = await draft(api, welcome);
    await person(api, "grace@example.com", { firstName: "Grace" });
    const before = await automationOf(api, id);
    const rows = () =>
      ["contacts", "enrollments", "deliveries", "automation_starts", "events"].map((table) =>
        numberOf(api, `SELECT count(*) AS n FROM ${table}`),
      );
    const counted = rows();
    const startAt = "2030-01-01T09:00:00.000Z";
    const not = await walk(id, { email: "Grace@example.com", startAt });
    expect(path(not)).toEqual(["in", "hello", "wait", "wait", "opened", "remind"]);
    expect([not.status, not.errorMessage]).toEqual(["COMPLETED", null]);
    expect(not.steps[0]).toEqual({
      at: startAt,
      nodeId: "in",
      type: "trigger",
      says: "enters",
      subject: null,
    });
    expect(not.steps[1].subject).toBe("Hi Grace");
    expect(not.steps.at(-1).at).toBe("2030-01-03T09:00:00.000Z");
    expect(path(await walk(id, { email: "grace@example.com", opens: true })).at(-1)).toBe("tag");
    expect(path(await walk(id, { email: "stranger@example.com", days: 1 }))).toEqual(["in", "hello", "wait"]);
    expect(rows()).toEqual(counted);
    expect(await automationOf(api, id)).toEqual(before);
  });

  test.each<[string, object, object, object, object]>([
    ["the tag", { tags: [] }, { trigger: "tag_added", tag: "vip" }, { field: "tag", value: "vip" }, {}],
    ["the event", {}, { trigger: "custom_event", eventName: "paid" }, { field: "event", value: "paid" }, {}],
    [
      "the points of the event",
      {},
      { trigger: "custom_event", eventName: "paid" },
      { field: "score", value: 7 },
      { eventName: "paid" },
    ],
    [
      "the subscription",
      { status: "PENDING" },
      { trigger: "new_subscriber" },
      { field: "status", value: "SUBSCRIBED" },
      {},
    ],
  ])(
    "%s that starts the run is there when a condition asks for it, as in a run",
    async (name, is, trigger, asks, more) => {
      const email = `${name.replaceAll(" ", "-")}@example.com`;
      await person(api, email, is as Record<string, unknown>);
      await api.call("POST", "/scoring-rules", { event: "paid", points: 7 });
      await api.call("POST", "/scoring-rules", { event: "paid", points: 70, minValueCents: 1 });
      await api.call("POST", "/scoring-rules", { event: "other", points: 700 });
      const id = await draft(api, {
        nodes: [
          node("in", "trigger", trigger as never),
          node("if", "condition", { all: [{ op: "equals", ...asks }] }),
          node("yes", "end"),
          node("no", "end"),
        ],
        edges: edges("in>if", "if>yes true", "if>no false"),
      });
      expect(path(await walk(id, { email, ...more })).at(-1)).toBe("yes");
      for (const { id: rule } of (await api.call("GET", "/scoring-rules")).body.data)
        await api.call("DELETE", `/scoring-rules/${rule}`);
    },
  );

  test("an opt-out right behind a mail says that the mail is not sent; behind a wait it does not", async () => {
    const bye = ["bye", "action", { action: "send_email", subject: "Goodbye", html: "<p>x</p>" }] as const;
    const leave = ["leave", "action", { action: "unsubscribe" }] as const;
    const says = async (...rest: Parameters<typeof chain>[1][]) => {
      const id = await draft(api, chain({ trigger: "new_subscriber" }, ...rest));
      return (await walk(id, { email: "stranger@example.com" })).steps.at(-1).says;
    };
    expect(await says(bye, leave)).toBe(
      'is unsubscribed, before the mail of "bye" has gone out: it is not sent. A wait belongs between',
    );
    expect(await says(bye, ["wait", "wait", { amount: 1, unit: "minutes" }], leave)).toBe("is unsubscribed");
    expect(await says(leave)).toBe("is unsubscribed");
  });

  test("a flow that goes round for ten years is answered, and other requests meanwhile", async () => {
    const round = {
      nodes: [
        node("in", "trigger", { trigger: "new_subscriber" }),
        node("wait", "wait", { amount: 1, unit: "minutes" }),
        node("tag", "action", { action: "add_tag", tag: "round" }),
      ],
      edges: edges("in>wait", "wait>tag", "tag>wait"),
    };
    const id = await draft(api, round);
    const [long, health] = await Promise.all([
      walk(id, { email: "grace@example.com", days: 3650 }),
      api.call("GET", "/lists"),
    ]);
    expect(health.status).toBe(200);
    expect([long.status, long.steps.length]).toEqual(["ACTIVE", 10_000]);
  });

  test("the event that starts it, with its properties, decides the way; another event is refused", async () => {
    const id = await draft(
      api,
      chain({ trigger: "custom_event", eventName: "order_placed" }, [
        "thanks",
        "action",
        { action: "send_email", subject: "{{ event.properties.plan }}", html: "<p>x</p>" },
      ]),
    );
    const sent = await walk(id, {
      email: "grace@example.com",
      eventName: "Order Placed",
      properties: { plan: "pro" },
    });
    expect(sent.steps[1].subject).toBe("pro");
    const { status, body } = await simulate(id, { email: "grace@example.com", eventName: "signed_up" });
    expect([status, body.error.message]).toEqual([422, "The flow does not wait for the event signed_up."]);
  });

  test.each([
    ["no address", {}],
    ["an address that is none", { email: "nobody" }],
    ["an address that is no text", { email: 5 }],
    ["a moment that is none", { email: "a@example.com", startAt: "tomorrow" }],
    ["a year before all computers", { email: "a@example.com", startAt: "0001-03-01T09:00:00Z" }],
    ["a year with no room for waits", { email: "a@example.com", startAt: "9999-12-31T23:59:59Z" }],
    ["no days at all", { email: "a@example.com", days: 0 }],
    ["a part of a day", { email: "a@example.com", days: 1.5 }],
    ["too many days", { email: "a@example.com", days: 3651 }],
    ["properties that are a list", { email: "a@example.com", properties: [] }],
    ["an event without a name", { email: "a@example.com", eventName: "!" }],
    ["opens that is a word", { email: "a@example.com", opens: "yes" }],
    ["a flow in the body", { email: "a@example.com", flowJson: { nodes: [], edges: [] } }],
  ])("%s is 422", async (_, body) => {
    const id = await draft(api, welcome);
    const answer = await simulate(id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("an automation that is not there is 404, also for another workspace, whatever the body says", async () => {
    const id = await draft(api, welcome);
    const { key } = await api.services.workspaces.create("Other");
    expect((await simulate("aut_no", {})).status).toBe(404);
    expect((await api.call("POST", `/automations/${id}/simulate`, {}, key)).status).toBe(404);
  });
});
