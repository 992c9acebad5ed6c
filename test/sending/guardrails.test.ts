import { afterEach, describe, expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings.ts";
import { markSent } from "../support/campaigns.ts";
import {
  makeAudience,
  makeCampaign,
  SENDER,
  send,
  startSending,
  type SendingApi,
} from "../support/sending.ts";
import { mailOf, sendState, standingClock, usageOf } from "../support/sending-state.ts";

/** A Saturday, 10:00 UTC. */
const NOW = Date.UTC(2026, 10, 21, 10);
const QUIET_NOW = { fromMinute: 9 * 60, toMinute: 11 * 60 };

let api: SendingApi;
afterEach(() => api.stop());

type Scene = { readonly id: string; readonly listId: string };
type Obstacle = {
  readonly name: string;
  readonly refusal: readonly [number, string, RegExp];
  place(scene: Scene): Promise<unknown>;
  mend(scene: Scene): Promise<unknown>;
};

const set = (change: Partial<Settings>) => api.services.workspaces.changeSettings(api.workspaceId, change);
const patch = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}`, body);
const option = (id: string, body: object) => api.call("PATCH", `/campaigns/${id}/options`, body);
const setting = (
  name: string,
  wrong: Partial<Settings>,
  right: Partial<Settings>,
  ...refusal: Obstacle["refusal"]
): Obstacle => ({
  name,
  refusal,
  place: () => set(wrong),
  mend: () => set(right),
});

/** Decisions, section 5, "Order of refusals": each of them, in that order. */
const OBSTACLES: readonly Obstacle[] = [
  setting(
    "the workspace is suspended",
    { suspended: true },
    { suspended: false },
    403,
    "FORBIDDEN",
    /suspended/,
  ),
  setting("sending is switched off", { sending: false }, { sending: true }, 403, "FORBIDDEN", /turned off/),
  {
    name: "there is no list",
    refusal: [422, "VALIDATION_ERROR", /no list and no segment/],
    place: ({ id }) => patch(id, { listId: null }),
    mend: ({ id, listId }) => patch(id, { listId }),
  },
  {
    name: "the Liquid does not compile",
    refusal: [422, "VALIDATION_ERROR", /line 2, column \d+/],
    place: async ({ id }) => {
      await patch(id, { body: "<p>Hello</p>\n<p>Hi {% if %}</p>" });
      await option(id, { personalize: true });
    },
    mend: ({ id }) => option(id, { personalize: false }),
  },
  setting(
    "there is no mailing address",
    { mailingAddress: "" },
    { mailingAddress: SENDER.mailingAddress },
    422,
    "VALIDATION_ERROR",
    /mailing address/,
  ),
  setting(
    "there is no sender address",
    { fromEmail: "" },
    { fromEmail: SENDER.fromEmail },
    422,
    "VALIDATION_ERROR",
    /sender address/,
  ),
  {
    name: "the campaign's own sender is of a domain that is no longer the workspace's",
    refusal: [422, "VALIDATION_ERROR", /letters\.example/],
    place: async ({ id }) => {
      await set({ senderDomains: ["letters.example"] });
      await option(id, { fromEmail: "ada@letters.example" });
      await set({ senderDomains: [] });
    },
    mend: ({ id }) => option(id, { fromEmail: null }),
  },
  setting(
    "it is quiet hours",
    { quietHours: QUIET_NOW },
    { quietHours: null },
    422,
    "VALIDATION_ERROR",
    /quiet hours/,
  ),
  {
    name: "nobody is left to mail",
    refusal: [422, "VALIDATION_ERROR", /Nobody is left/],
    place: () => suppressEverybody("add"),
    mend: () => suppressEverybody("remove"),
  },
  setting(
    "the monthly limit would be passed",
    { monthlyLimit: 1 },
    { monthlyLimit: null },
    402,
    "QUOTA_EXCEEDED",
    /monthly limit/,
  ),
  setting(
    "the daily cap would be passed",
    { dailyCap: 1 },
    { dailyCap: null },
    422,
    "VALIDATION_ERROR",
    /daily cap/,
  ),
];

async function suppressEverybody(how: "add" | "remove"): Promise<void> {
  for (const address of PEOPLE) await api.services.suppressions[how](api.workspaceId, address);
}

const PEOPLE = ["ada@example.com", "grace@example.org"];

async function stage(): Promise<Scene> {
  api = await startSending({}, { clock: standingClock(NOW) });
  const { listId } = await makeAudience(api, PEOPLE);
  return { id: await makeCampaign(api, listId), listId };
}

/** The send is refused for this reason, sends nothing, changes nothing, and leaves the campaign editable. */
async function expectRefused(
  { id }: Scene,
  { name, refusal: [status, code, message] }: Obstacle,
): Promise<void> {
  const before = sendState(api);
  const answer = await send(api, id);
  expect([name, answer.status, answer.body.error?.code]).toEqual([name, status, code]);
  const checked = await api.call("POST", `/campaigns/${id}/check`);
  expect([checked.status, checked.body.data.refusal]).toEqual([200, answer.body.error]);
  expect(answer.body.error.message).toMatch(message);
  expect(sendState(api)).toEqual(before);
  expect(usageOf(api)).toEqual({});
  expect(api.relay.transactions).toBe(0);
  expect((await patch(id, { name: "Still a draft" })).status).toBe(200);
}

async function expectSentToAll({ id }: Scene): Promise<void> {
  const before = sendState(api);
  expect((await api.call("POST", `/campaigns/${id}/check`)).body.data).toEqual({
    recipients: 2,
    skipped: {},
    refusal: null,
    estimatedSeconds: 1,
  });
  expect(sendState(api)).toEqual(before);
  expect((await send(api, id)).body).toEqual({ data: { sent: 2, failed: 0, remaining: 0, complete: true } });
  expect(mailOf(api).toSorted()).toEqual(PEOPLE.map((address) => `${address}: Spring is here`));
}

describe("the order of refusals", () => {
  test("all in the way at once: mending one shows the next, mending the last sends", async () => {
    const scene = await stage();
    for (const obstacle of OBSTACLES) await obstacle.place(scene);
    for (const obstacle of OBSTACLES) {
      await expectRefused(scene, obstacle);
      await obstacle.mend(scene);
    }
    await expectSentToAll(scene);
  });

  test.each(OBSTACLES.slice(1).map((later, index) => [OBSTACLES[index]!.name, later.name, index] as const))(
    "%s goes before: %s",
    async (_earlier, _later, index) => {
      const scene = await stage();
      const [earlier, later] = [OBSTACLES[index]!, OBSTACLES[index + 1]!];
      // Placed the other way round: the order is the rule's, not that of the settings.
      await later.place(scene);
      await earlier.place(scene);
      await expectRefused(scene, earlier);
      await earlier.mend(scene);
      await expectRefused(scene, later);
      await later.mend(scene);
      await expectSentToAll(scene);
    },
  );

  test("a SENT campaign says so, whatever else is in the way and however bad the body is", async () => {
    const scene = await stage();
    await expectSentToAll(scene);
    markSent(api, scene.id, NOW);
    for (const obstacle of OBSTACLES) if (obstacle.name !== "there is no list") await obstacle.place(scene);
    const before = sendState(api);
    for (const body of [undefined, {}, { excludeEmails: "everybody" }, { overrideQuietHours: true }]) {
      const answer = await send(api, scene.id, body);
      expect([answer.status, answer.body.error.code]).toEqual([422, "CAMPAIGN_ALREADY_SENT"]);
    }
    expect(sendState(api)).toEqual(before);
    expect(api.relay.accepted.length).toBe(2);
  });

  test("an unknown campaign is 404 before any body or guardrail is looked at", async () => {
    await stage();
    await set({ suspended: true });
    const answer = await send(api, "cmp_nobody", { excludeEmails: 5 });
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("a body of wrong types is refused before any guardrail is asked", async () => {
    const scene = await stage();
    await set({ suspended: true });
    const answer = await send(api, scene.id, { overrideQuietHours: "yes" });
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });
});

describe("the body of a send", () => {
  test.each<[string, object]>([
    ["excludeEmails is text", { excludeEmails: "ada@example.com" }],
    ["excludeEmails is an object", { excludeEmails: { 0: "ada@example.com" } }],
    ["excludeEmails holds a number", { excludeEmails: ["ada@example.com", 1] }],
    ["excludeEmails holds null", { excludeEmails: [null] }],
    ["overrideQuietHours is text", { overrideQuietHours: "true" }],
    ["overrideQuietHours is a number", { overrideQuietHours: 1 }],
    ["overrideQuietHours is an array", { overrideQuietHours: [] }],
  ])("%s: 422, and nothing happens", async (_name, body) => {
    const { id } = await stage();
    const before = sendState(api);
    const answer = await send(api, id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(Object.keys(body)[0]!);
    expect(sendState(api)).toEqual(before);
    expect(api.relay.transactions).toBe(0);
  });

  test.each(["", "{", "nonsense", "[]", '"text"', "5", "null", "\u0000"])(
    "%j is unreadable, so it is read as {} and the send goes ahead",
    async (body) => {
      const { id } = await stage();
      const answer = await api.call("POST", `/campaigns/${id}/send`, body);
      expect(answer.body).toEqual({ data: { sent: 2, failed: 0, remaining: 0, complete: true } });
    },
  );

  test("null and unknown members mean nothing", async () => {
    const { id } = await stage();
    const body = {
      excludeEmails: null,
      overrideQuietHours: null,
      listId: null,
      colour: "red",
      status: "SENT",
    };
    expect((await send(api, id, body)).body.data).toEqual({
      sent: 2,
      failed: 0,
      remaining: 0,
      complete: true,
    });
  });

  test("excludeEmails finds an address in any case, with spaces around it, given twice; what is no address finds nobody", async () => {
    const { id } = await stage();
    const excludeEmails = [
      "  ADA@Example.COM\t",
      "ada@example.com",
      "stranger@example.net",
      "not an address",
      "",
    ];
    const answer = await send(api, id, { excludeEmails });
    expect(answer.body.data).toEqual({ sent: 1, failed: 0, remaining: 0, complete: true });
    expect(mailOf(api)).toEqual(["grace@example.org: Spring is here"]);
    const { data } = (await api.call("GET", `/campaigns/${id}/deliveries`)).body;
    expect(data.map((row: any) => [row.email, row.state, row.reason])).toEqual([
      ["grace@example.org", "SENT", null],
      ["ada@example.com", "SKIPPED", "EXCLUDED"],
    ]);
    expect(sendState(api)["mailing_exclusions"]).toEqual([]);
  });

  test("exclusions of a refused send are forgotten with it", async () => {
    const scene = await stage();
    await set({ dailyCap: 0 });
    expect((await send(api, scene.id, { excludeEmails: ["ada@example.com"] })).status).toBe(422);
    await set({ dailyCap: null });
    await expectSentToAll(scene);
  });
});

describe("quiet hours", () => {
  test("are a matter of true: overrideQuietHours goes through them, false and nothing do not", async () => {
    const { id } = await stage();
    await set({ quietHours: QUIET_NOW });
    for (const body of [{}, { overrideQuietHours: false }, { overrideQuietHours: null }])
      expect((await send(api, id, body)).status).toBe(422);
    expect(api.relay.transactions).toBe(0);
    const answer = await send(api, id, { overrideQuietHours: true });
    expect(answer.body.data).toEqual({ sent: 2, failed: 0, remaining: 0, complete: true });
  });

  test("overriding them overrides nothing else", async () => {
    const scene = await stage();
    await set({ quietHours: QUIET_NOW, dailyCap: 1 });
    const answer = await send(api, scene.id, { overrideQuietHours: true });
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining("daily cap")]);
  });

  // 10:00 UTC is 23:00 in Auckland (daylight saving), 15:45 in Kathmandu and 05:00 in New York.
  test.each<[string, string, number]>([
    ["Pacific/Auckland", "22:00-07:00", 422],
    ["Pacific/Auckland", "23:00-23:01", 422],
    ["Pacific/Auckland", "23:01-23:00", 200],
    ["Asia/Kathmandu", "15:45-16:00", 422],
    ["Asia/Kathmandu", "15:30-15:45", 200],
    ["America/New_York", "22:00-07:00", 422],
    ["America/New_York", "05:01-23:59", 200],
    ["UTC", "22:00-07:00", 200],
  ])("are the workspace's own wall clock: %s %s answers %d", async (timezone, window, status) => {
    const { id } = await stage();
    const [from, to] = window.split("-").map((at) => Number(at.slice(0, 2)) * 60 + Number(at.slice(3)));
    await set({ timezone, quietHours: { fromMinute: from!, toMinute: to! } });
    expect((await send(api, id)).status).toBe(status);
  });
});

describe("nobody is left", () => {
  /** What takes Ada and Grace out, each way alone. */
  const WAYS: [string, (scene: Scene, ids: string[]) => Promise<object>][] = [
    ["both are excluded", async () => ({ excludeEmails: ["Ada@example.com", " GRACE@example.org "] })],
    ["both are suppressed", async () => (await suppressEverybody("add"), {})],
    [
      "both are on blocked domains",
      async () => {
        for (const domain of ["example.com", "EXAMPLE.org"])
          await api.services.suppressions.blockDomain(api.workspaceId, domain);
        return {};
      },
    ],
    [
      "one is excluded, the other suppressed",
      async () => {
        await api.services.suppressions.add(api.workspaceId, PEOPLE[1]!);
        return { excludeEmails: [PEOPLE[0]] };
      },
    ],
    [
      "both have opted out",
      async (_scene, ids) => {
        for (const id of ids) await api.call("PATCH", `/contacts/${id}`, { status: "UNSUBSCRIBED" });
        return {};
      },
    ],
  ];

  test.each(WAYS)("when %s: 422, nothing kept", async (_name, takeOut) => {
    const scene = await stage();
    const ids = (await api.call("GET", "/contacts")).body.data.map((contact: any) => contact.id);
    const body = await takeOut(scene, ids);
    const before = sendState(api);
    const answer = await send(api, scene.id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain("Nobody is left to mail");
    expect(sendState(api)).toEqual(before);
    expect(api.relay.transactions).toBe(0);
  });

  test("when everybody on the list is PENDING, or nobody is on it", async () => {
    await stage();
    const { listId } = await makeAudience(api, []);
    const empty = await makeCampaign(api, listId);
    expect((await send(api, empty)).status).toBe(422);
    const { body } = await api.call("POST", "/contacts", { email: "linus@example.com", status: "PENDING" });
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: body.data.id });
    const answer = await send(api, empty);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(api.relay.transactions).toBe(0);
  });

  test("a blocked domain blocks that domain only, not the ones under it or that end like it", async () => {
    await stage();
    await api.services.suppressions.blockDomain(api.workspaceId, "example.com");
    const people = ["ada@example.com", "grace@mail.example.com", "linus@notexample.com"];
    const { listId } = await makeAudience(api, people);
    const id = await makeCampaign(api, listId);
    expect((await send(api, id)).body.data.sent).toBe(2);
    expect(api.relay.accepted.flatMap(({ rcptTo }) => rcptTo).toSorted()).toEqual(people.slice(1));
  });
});

describe("what the API suppresses and blocks", () => {
  const mailed = () => api.relay.accepted.flatMap(({ rcptTo }) => rcptTo).toSorted();
  const campaign = async (listId: string) => send(api, await makeCampaign(api, listId));

  test("is passed by from the next campaign on, and mailed again once it is lifted, except who opted out", async () => {
    api = await startSending();
    const people = ["ada@example.com", "grace@example.org", "linus@example.net"];
    const { listId } = await makeAudience(api, [...people, "left@example.com"]);
    await api.call("POST", "/suppressions", { email: "ada@example.com" });
    await api.call("POST", "/blocked-domains", { domain: "example.org" });
    const [left] = (await api.call("GET", "/contacts?q=left@")).body.data;
    await api.call("PATCH", `/contacts/${left.id}`, { status: "UNSUBSCRIBED" });
    expect((await campaign(listId)).body.data.sent).toBe(1);
    expect(mailed()).toEqual(["linus@example.net"]);
    for (const path of [
      "/suppressions/ada@example.com",
      "/suppressions/left@example.com",
      "/blocked-domains/example.org",
    ])
      expect((await api.call("DELETE", path)).status).toBe(204);
    expect((await campaign(listId)).body.data.sent).toBe(3);
    expect(mailed()).toEqual([...people, "linus@example.net"].toSorted());
  });

  test("shows a bounce as the source of what a relay refused for good", async () => {
    api = await startSending({ RCPT: "550 5.1.1 No such user" });
    const { listId } = await makeAudience(api, ["gone@example.com"]);
    await campaign(listId);
    expect((await api.call("GET", "/suppressions")).body.data).toMatchObject([
      { email: "gone@example.com", reason: "HARD_BOUNCE", source: "bounce" },
    ]);
  });
});
