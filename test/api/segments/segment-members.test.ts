import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { fourPeople, person } from "../../support/people/people.ts";

const VIP = { field: "tag", op: "equals", value: "vip" };
const clock = manualClock();
let api: TestApi;

beforeAll(async () => {
  api = await startApi({ clock });
  await fourPeople(api);
});
afterAll(() => api.stop());

const create = async (rules: unknown, name = "Some") =>
  (await api.call("POST", "/segments", { name, rules })).body.data;
const call = (method: string, path: string, body?: unknown) => api.call(method, path, body);
const emails = async (id: string, query = ""): Promise<string[]> =>
  (await call("GET", `/segments/${id}/contacts${query}`)).body.data.map(
    ({ email }: any) => email.split("@")[0],
  );
const preview = async (rules: unknown) => (await call("POST", "/segments/preview", { rules })).body.data;

describe("who is in a segment", () => {
  test("a page is as GET /contacts, with its filters", async () => {
    const { id } = await create(VIP);
    const all = (await call("GET", "/contacts")).body.data;
    const page = (await call("GET", `/segments/${id}/contacts`)).body;
    expect(page.data).toEqual(all.filter(({ tags }: any) => tags.includes("vip")));
    expect(page.pagination).toEqual({ total: 3, limit: 20, hasMore: false, nextCursor: null });
    expect(await emails(id, "?status=PENDING")).toEqual(["grace"]);
    expect(await emails(id, "?tag=beta")).toEqual(["alan"]);
    expect(await emails(id, "?q=GRACE")).toEqual(["grace"]);
    expect(await emails(id, "?q=example.com&status=SUBSCRIBED")).toEqual(["ada"]);
    expect(await emails(id, "?q=&status=&tag=")).toHaveLength(3);
    expect((await call("GET", `/segments/${id}/contacts?status=GONE`)).status).toBe(422);
    expect((await call("GET", `/segments/${id}/contacts?include=tags`)).status).toBe(422);
    expect((await call("GET", `/segments/${id}/contacts?after=nonsense`)).status).toBe(422);
    expect((await call("GET", `/segments/${id}/contacts?listId=x`)).status).toBe(422);
  });

  test("pages go on where the last one ended, and their total counts all", async () => {
    const { id } = await create(VIP);
    const first = (await call("GET", `/segments/${id}/contacts?limit=2`)).body;
    expect(first.pagination).toMatchObject({ total: 3, hasMore: true });
    const { nextCursor } = first.pagination;
    expect(await emails(id, `?limit=2&after=${nextCursor}`)).toEqual(["ada"]);
    const other = await create(VIP);
    expect((await call("GET", `/segments/${other.id}/contacts?after=${nextCursor}`)).status).toBe(422);
  });

  test("attributes are shown where the query asks for them", async () => {
    const { id } = await create({ field: "attributes.plan", op: "equals", value: "PRO" });
    const [plain] = (await call("GET", `/segments/${id}/contacts`)).body.data;
    expect("attributes" in plain).toBe(false);
    const [full] = (await call("GET", `/segments/${id}/contacts?include=attributes`)).body.data;
    expect(full).toEqual({ ...plain, attributes: { plan: "Pro" } });
  });

  test("the count is of all, and of those who are SUBSCRIBED", async () => {
    const { id } = await create(VIP);
    expect((await call("GET", `/segments/${id}/count`)).body.data).toEqual({ total: 3, subscribed: 1 });
  });

  test("a preview saves nothing and shows at most ten, the newest first", async () => {
    const before = (await call("GET", "/segments")).body.pagination.total;
    expect(await preview(VIP)).toMatchObject({
      total: 3,
      subscribed: 1,
      sample: [{ email: "alan@example.org" }, {}, {}],
    });
    expect((await call("GET", "/segments")).body.pagination.total).toBe(before);
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, i) => person(api, `many${i}@many.example`)),
    );
    const { total, sample } = await preview({ field: "domain", op: "equals", value: "MANY.example" });
    expect([total, sample.length]).toEqual([12, 10]);
    for (const { id } of many) await call("DELETE", `/contacts/${id}`);
    expect(await preview({ field: "domain", op: "equals", value: "many.example" })).toEqual({
      total: 0,
      subscribed: 0,
      sample: [],
    });
  });

  test("whoever changes is in or out of it at the next call", async () => {
    const { id } = await create(VIP);
    const fresh = await person(api, "fresh@example.net", { tags: ["vip"] });
    expect(await emails(id)).toEqual(["fresh", "alan", "grace", "ada"]);
    await call("PATCH", `/contacts/${fresh.id}`, { tags: [] });
    expect(await emails(id)).toEqual(["alan", "grace", "ada"]);
    await call("DELETE", `/contacts/${fresh.id}`);
  });

  test("events count at once, indexed or not, and the last days go by", async () => {
    const rules = {
      field: "event",
      op: "atLeast",
      name: "order placed",
      value: 2,
      withinDays: 1,
      where: [{ property: "plan", op: "equals", value: "pro" }],
    };
    const { id } = await create(rules);
    const order = (plan: string) =>
      call("POST", "/events", { name: "orderPlaced", email: "linus@example.org", properties: { plan } });
    await order("PRO");
    await order("free");
    expect(await emails(id)).toEqual([]);
    await order("Pro");
    expect(await emails(id)).toEqual(["linus"]);
    clock.advance(86_400_001);
    expect(await emails(id)).toEqual([]);
  });

  test("a score counts as the rules of this moment have it", async () => {
    const { id } = await create({ field: "score", op: "greaterThan", value: 4 });
    for (const at of [1, 2, 3])
      await call("POST", "/events", { name: "rated", email: "linus@example.org", externalId: `rated ${at}` });
    expect(await emails(id)).toEqual([]);
    const rule = await api.services.scoring.add(api.workspaceId, {
      event: "rated",
      minValueCents: null,
      points: 2,
    });
    expect(await emails(id)).toEqual(["linus"]);
    await api.services.scoring.remove(api.workspaceId, rule.id);
  });

  test("everybody is gone through in pieces, as it was when that began", async () => {
    const { segments } = api.services;
    const segment = await create(VIP);
    const seen: string[] = [];
    for await (const piece of segments.members(api.workspaceId, segment, {
      status: "SUBSCRIBED",
      tag: null,
      q: null,
    })) {
      seen.push(...piece.map(({ email }) => email));
    }
    expect(seen).toEqual(["ada@example.com"]);
  });

  test("many questions at once are all answered", async () => {
    const { id } = await create(VIP);
    const counts = await Promise.all(Array.from({ length: 50 }, () => call("GET", `/segments/${id}/count`)));
    for (const { body } of counts) expect(body.data).toEqual({ total: 3, subscribed: 1 });
  });
});
