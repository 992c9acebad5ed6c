import { afterEach, describe, expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings/settings.ts";
import {
  addressesMailed,
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import {
  expectSent,
  PEOPLE,
  QUIET_NOW,
  stageSend,
  suppressAll,
  type Scene,
} from "../../support/sending/guarded-send.ts";
import { mailOf, sendState } from "../../support/sending/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop());

const set = (change: Partial<Settings>) => api.services.workspaces.changeSettings(api.workspaceId, change);

const suppressEverybody = (how: "add" | "remove") => suppressAll(api, how);

async function stage(): Promise<Scene> {
  const staged = await stageSend();
  api = staged.api;
  return staged.scene;
}

const expectSentToAll = (scene: Scene) => expectSent(api, scene);

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

  test("60,000 addresses are left out, wherever they stand, and a check counts them", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, [
      "ada@example.com",
      "grace@example.org",
      "ken@example.net",
      "linus@example.com",
    ]);
    const id = await makeCampaign(api, listId);
    const strangers = Array.from({ length: 59_997 }, (_, n) => `stranger-${n}@example.com`);
    const excludeEmails = ["LINUS@example.com", ...strangers.slice(0, 30_000), "ada@example.com"];
    excludeEmails.push(...strangers.slice(30_000), " Ken@Example.net");
    const checked = await api.call("POST", `/campaigns/${id}/check`, { excludeEmails });
    expect(checked.body.data).toMatchObject({ recipients: 1, skipped: { EXCLUDED: 3 }, refusal: null });
    const answer = await send(api, id, { excludeEmails });
    expect(answer.body.data).toEqual({ sent: 1, failed: 0, remaining: 0, complete: true });
    expect(mailOf(api)).toEqual(["grace@example.org: Spring is here"]);
    const { data } = (await api.call("GET", `/campaigns/${id}/deliveries?state=SKIPPED`)).body;
    expect(data.map((row: any) => [row.email, row.reason]).toSorted()).toEqual(
      ["ada@example.com", "ken@example.net", "linus@example.com"].map((email) => [email, "EXCLUDED"]),
    );
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
    expect(addressesMailed(api)).toEqual(people.slice(1));
  });
});

describe("what the API suppresses and blocks", () => {
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
    expect(addressesMailed(api)).toEqual(["linus@example.net"]);
    for (const path of [
      "/suppressions/ada@example.com",
      "/suppressions/left@example.com",
      "/blocked-domains/example.org",
    ])
      expect((await api.call("DELETE", path)).status).toBe(204);
    expect((await campaign(listId)).body.data.sent).toBe(3);
    expect(addressesMailed(api)).toEqual([...people, "linus@example.net"].toSorted());
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
