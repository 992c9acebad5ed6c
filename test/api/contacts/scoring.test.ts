import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const record = (name: string, email: string, more: object = {}) =>
  api.call("POST", "/events", { name, email, ...more });
const scoreOf = async (id: string) => (await api.call("GET", `/contacts/${id}/score`)).body.data;

describe("a contact's score", () => {
  test("is 0 without events or rules, and 404 for a stranger's contact", async () => {
    const { id } = await person(api, "new@example.com");
    expect(await scoreOf(id)).toEqual({ contactId: id, score: 0 });
    const other = await api.services.workspaces.create("Other");
    expect((await api.call("GET", `/contacts/${id}/score`, undefined, other.key)).status).toBe(404);
    expect((await api.call("GET", "/contacts/ct_nobody/score")).status).toBe(404);
  });

  test("sums every rule over every event, duplicates once, and follows a changed rule at once", async () => {
    const { scoring } = api.services;
    const add = (event: string, points: number, minValueCents: number | null = null) =>
      scoring.add(api.workspaceId, { event, minValueCents, points });
    const ada = await person(api, "ada@example.com");
    await record("paid", "ada@example.com", { valueCents: 4_999, externalId: "a" });
    await record("paid", "ada@example.com", { valueCents: 5_000, externalId: "b" });
    await record("paid", "ada@example.com", { valueCents: 5_000, externalId: "b" });
    await record("paid", "ada@example.com");
    await record("refunded", "ada@example.com", { valueCents: -100 });
    const every = await add("paid", 10);
    expect((await scoreOf(ada.id)).score).toBe(30);
    await add("paid", 5, 5_000);
    await add("refunded", -7);
    await add("refunded", 100, 0);
    expect((await scoreOf(ada.id)).score).toBe(28);
    expect(await scoring.remove(api.workspaceId, every.id)).toBe(true);
    expect(await scoring.remove(api.workspaceId, every.id)).toBe(false);
    expect((await scoreOf(ada.id)).score).toBe(-2);
  });

  test("is of one workspace: the same address and rule in another change nothing", async () => {
    const other = await api.services.workspaces.create("Third");
    await api.services.scoring.add(other.id, { event: "visited", minValueCents: null, points: 50 });
    const linus = await person(api, "linus@example.com");
    await record("visited", "linus@example.com");
    await api.call("POST", "/events", { name: "visited", email: "linus@example.com" }, other.key);
    expect((await scoreOf(linus.id)).score).toBe(0);
  });

  test.each<[string, [name: string, valueCents?: number | null][], number]>([
    ["an event without an amount", [["order placed"]], 10],
    ["one just below the minimum", [["order placed", 4_999]], 10],
    ["one at the minimum", [["order placed", 5_000]], 50],
    ["a large refund under the same name", [["order placed", -9_000]], 10],
    ["another spelling of the name", [["Order_Placed", 5_000]], 50],
    ["a name that only begins like it", [["order"]], 0],
    ["negative points, whatever it is worth", [["unsubscribed", 5_000]], -30],
    ["a negative minimum, at it", [["refunded", -1_000]], -5],
    ["a negative minimum, below it", [["refunded", -1_001]], 0],
    ["a negative minimum, without an amount", [["refunded"]], 0],
    [
      "several events, whatever their order",
      [["unsubscribed"], ["order placed", 6_000], ["seen"], ["order placed"]],
      30,
    ],
    ["the same event twice", [["unsubscribed"], ["unsubscribed"]], -60],
  ])("%s", async (what, events, score) => {
    const workspace = await api.services.workspaces.create(what);
    for (const [event, points, minValueCents] of [
      ["order_placed", 10, null],
      ["order_placed", 40, 5_000],
      ["unsubscribed", -30, null],
      ["refunded", -5, -1_000],
    ] as const)
      await api.services.scoring.add(workspace.id, { event, points, minValueCents });
    const call = (method: "GET" | "POST", path: string, body?: object) =>
      api.call(method, path, body, workspace.key);
    const { id } = (await call("POST", "/contacts", { email: "ada@example.com" })).body.data;
    for (const [name, valueCents = null] of events)
      expect((await call("POST", "/events", { name, email: "ada@example.com", valueCents })).status).toBe(
        201,
      );
    expect((await call("GET", `/contacts/${id}/score`)).body.data.score).toBe(score);
  });

  test("a workspace has at most 200 rules", async () => {
    const { id } = await api.services.workspaces.create("Many");
    const rules = Array.from({ length: 200 }, (_, i) => ({ event: `e${i}`, minValueCents: null, points: 1 }));
    await Promise.all(rules.map((rule) => api.services.scoring.add(id, rule)));
    expect(api.services.scoring.add(id, rules[0]!)).rejects.toThrow("at most 200");
  });
});

describe("/scoring-rules", () => {
  const post = (body: unknown) => api.call("POST", "/scoring-rules", body);
  const page = async (query = "") => (await api.call("GET", `/scoring-rules?${query}`)).body;

  test("201 with the rule, in force at once for what was; 204 when it goes, and then its points go", async () => {
    const grace = await person(api, "grace@example.com");
    await record("signedUp", "grace@example.com", { valueCents: 700 });
    const made = await post({ event: "Signed up!", points: -3, minValueCents: 500 });
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^sr_/),
        event: "signed_up",
        minValueCents: 500,
        points: -3,
        createdAt: expect.any(String),
      },
    ]);
    expect((await scoreOf(grace.id)).score).toBe(-3);
    expect((await page("limit=1")).data).toEqual([made.body.data]);
    const path = `/scoring-rules/${made.body.data.id}`;
    expect((await api.call("DELETE", path)).status).toBe(204);
    expect((await api.call("DELETE", path)).status).toBe(404);
    expect((await scoreOf(grace.id)).score).toBe(0);
  });

  test("newest first, a page at a time; the command line has the same", async () => {
    for (const points of [1, 2, 3]) await post({ event: "paged", points, minValueCents: null });
    const first = await page("limit=2");
    expect(first.data.map(({ points }: any) => points)).toEqual([3, 2]);
    const next = await page(`limit=2&after=${first.pagination.nextCursor}`);
    expect(next.data[0].points).toBe(1);
    const listed = await api.services.scoring.list(api.workspaceId);
    expect(listed.slice(-3).map(({ points }) => points)).toEqual([1, 2, 3]);
    expect(first.pagination.total).toBe(listed.length);
  });

  test.each([
    {},
    { event: "a" },
    { points: 1 },
    { event: "!!", points: 1 },
    { event: 5, points: 1 },
    { event: "a", points: 0 },
    { event: "a", points: 1.5 },
    { event: "a", points: "1" },
    { event: "a", points: 1_000_001 },
    { event: "a", points: 1, minValueCents: 0.5 },
    { event: "a", points: 1, minValueCents: "5" },
    { event: "a", points: 1, minValueCents: 9_007_199_254_740_992 },
  ])("%j is 422, and no rule is made", async (body) => {
    const { total } = (await page()).pagination;
    const answer = await post(body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect((await page()).pagination.total).toBe(total);
  });

  test("the 201st rule is 422", async () => {
    const other = await api.services.workspaces.create("Full");
    const add = () => api.call("POST", "/scoring-rules", { event: "a", points: 1 }, other.key);
    await Promise.all(Array.from({ length: 200 }, add));
    const answer = await add();
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining("200")]);
  });

  test("another workspace's rules are neither seen nor deleted", async () => {
    const other = await api.services.workspaces.create("Strangers");
    const { id } = (await post({ event: "ours", points: 1 })).body.data;
    expect((await api.call("GET", "/scoring-rules", undefined, other.key)).body.data).toEqual([]);
    expect((await api.call("DELETE", `/scoring-rules/${id}`, undefined, other.key)).status).toBe(404);
    expect((await page("limit=1")).data[0].id).toBe(id);
  });
});
