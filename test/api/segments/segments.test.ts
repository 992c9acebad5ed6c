import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { fourPeople, listOf } from "../../support/people/people.ts";

const VIP = { field: "tag", op: "equals", value: "vip" };
const clock = manualClock();
let api: TestApi;
let list: string;

beforeAll(async () => {
  api = await startApi({ clock });
  list = await fourPeople(api);
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

describe("a segment is a saved question", () => {
  test("it is shown as it was sent, and changed, and deleted", async () => {
    const rules = {
      any: [VIP, { field: "event", op: "atLeast", name: "Order Placed", value: 1, where: [] }],
    };
    const made = await call("POST", "/segments", { name: "  Readers ", rules });
    expect(made.status).toBe(201);
    const segment = made.body.data;
    expect(segment).toMatchObject({ name: "Readers", rules, createdAt: segment.updatedAt });
    expect((await call("GET", `/segments/${segment.id}`)).body.data).toEqual(segment);
    clock.advance(1_000);
    expect((await call("PATCH", `/segments/${segment.id}`, {})).body.data).toEqual(segment);
    expect((await call("PATCH", `/segments/${segment.id}`, { name: null, rules: null })).body.data).toEqual(
      segment,
    );
    expect((await call("PATCH", `/segments/${segment.id}`, { name: "Readers" })).body.data).toEqual(segment);
    const renamed = (await call("PATCH", `/segments/${segment.id}`, { name: "Others" })).body.data;
    expect([renamed.name, renamed.rules, renamed.updatedAt > segment.updatedAt]).toEqual([
      "Others",
      rules,
      true,
    ]);
    const turned = (await call("PATCH", `/segments/${segment.id}`, { rules: VIP })).body.data;
    expect([turned.name, turned.rules, turned.createdAt]).toEqual(["Others", VIP, segment.createdAt]);
    expect((await call("DELETE", `/segments/${segment.id}`)).status).toBe(204);
    expect((await call("GET", `/segments/${segment.id}`)).status).toBe(404);
    expect((await call("DELETE", `/segments/${segment.id}`)).status).toBe(404);
  });

  test("segments are listed, the newest first, in pages", async () => {
    const before = (await call("GET", "/segments")).body.pagination.total;
    const ids = [];
    for (const name of ["A", "B", "C"]) ids.unshift((await create(VIP, name)).id);
    const first = (await call("GET", "/segments?limit=2")).body;
    expect(first.data.map(({ id }: any) => id)).toEqual(ids.slice(0, 2));
    expect(first.pagination).toMatchObject({ total: before + 3, limit: 2, hasMore: true });
    const rest = (await call("GET", `/segments?limit=2&after=${first.pagination.nextCursor}`)).body;
    expect(rest.data[0].id).toBe(ids[2]);
  });

  test.each([
    [{ rules: VIP }, "`name` is required"],
    [{ name: " ", rules: VIP }, "`name` must not be empty"],
    [{ name: 5, rules: VIP }, "`name`"],
    [{ name: "x".repeat(201), rules: VIP }, "`name` is longer"],
    [{ name: "A" }, "`rules` is required"],
    [{ name: "A", rules: [] }, "`rules`"],
    [
      { name: "A", rules: { all: [VIP, { ...VIP, op: "is" }] } },
      "`rules.all[1].op`: `op` of a condition on `tag`",
    ],
    [{ name: "A", rules: { ...VIP, extra: 1 } }, "`rules.extra`"],
    [{ name: "A", conditions: [VIP] }, "send the conditions as `rules`"],
    [{ name: "A", rules: { all: [] } }, "`rules.all`"],
    ["{", "required"],
  ])("%j is 422 and says where", async (body, message) => {
    const { status, body: answer } = await call("POST", "/segments", body);
    expect([status, answer.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.error.message).toContain(message);
  });

  test("an empty name and bad rules change nothing on PATCH", async () => {
    const segment = await create(VIP);
    for (const body of [{ name: "" }, { name: "New", rules: {} }, { rules: { all: [] } }])
      expect((await call("PATCH", `/segments/${segment.id}`, body)).status).toBe(422);
    expect((await call("GET", `/segments/${segment.id}`)).body.data).toEqual(segment);
  });

  test("rules that were stored before they had a limit are shown and asked, and changed to shorter ones", async () => {
    const rules = (length: number) => ({ field: "email", op: "exists", value: "x".repeat(length) });
    const stored = { name: "Long", rules: rules(100_000), references: [] };
    const { id } = await api.services.segments.create(api.workspaceId, stored);
    const patch = (body: unknown) => call("PATCH", `/segments/${id}`, body);
    expect((await call("GET", `/segments/${id}`)).body.data.rules).toEqual(rules(100_000));
    expect((await call("GET", `/segments/${id}/count`)).body.data.total).toBe(4);
    expect(await preview(rules(100_000))).toMatchObject({ total: 4 });
    expect((await patch({ name: "Longest" })).status).toBe(200);
    expect((await patch({ rules: rules(90_000) })).status).toBe(200);
    expect((await patch({ rules: rules(90_001) })).status).toBe(422);
    expect((await call("GET", `/segments/${id}`)).body.data).toMatchObject({
      name: "Longest",
      rules: rules(90_000),
    });
    expect((await call("POST", "/segments", { name: "A", rules: rules(90_000) })).status).toBe(422);
    expect((await patch({ rules: VIP })).status).toBe(200);
    expect((await patch({ rules: rules(66_000) })).status).toBe(422);
  });
});

describe("an international domain", () => {
  test("is found however it is written, and the rules come back as they were sent", async () => {
    const { key } = await api.services.workspaces.create("Books");
    await api.call("POST", "/contacts", { email: "ada@bücher.example" }, key);
    await api.call("POST", "/contacts", { email: "grace@example.com" }, key);
    const inOther = async (rules: unknown): Promise<string[]> => {
      const made = await api.call("POST", "/segments", { name: "Books", rules }, key);
      expect([made.status, made.body.data.rules]).toEqual([201, rules]);
      const { data } = (await api.call("GET", `/segments/${made.body.data.id}/contacts`, undefined, key))
        .body;
      return data.map(({ email }: any) => email);
    };
    const [ada, grace] = [["ada@xn--bcher-kva.example"], ["grace@example.com"]];
    for (const value of ["bücher.example", "BÜCHER.example", "XN--bcher-kva.EXAMPLE"]) {
      expect(await inOther({ field: "domain", op: "equals", value })).toEqual(ada);
      expect(await inOther({ field: "domain", op: "notEquals", value })).toEqual(grace);
      expect(await inOther({ field: "domain", op: "endsWith", value })).toEqual(ada);
      expect(await inOther({ field: "email", op: "equals", value: `Ada@${value}` })).toEqual(ada);
      expect(await inOther({ field: "email", op: "notContains", value: `@${value}` })).toEqual(grace);
    }
    expect(await inOther({ field: "domain", op: "startsWith", value: "bücher" })).toEqual(ada);
  });
});

describe("what rules name has to be there", () => {
  test.each(["list", "segment", "received", "opened", "clicked"])(
    "an unknown id of `%s` is 404, with its place, and nothing is written",
    async (field) => {
      const rules = { all: [VIP, { field, op: "equals", value: "missing" }] };
      const segment = await create(VIP);
      const total = (await call("GET", "/segments")).body.pagination.total;
      for (const [method, path, body] of [
        ["POST", "/segments", { name: "A", rules }],
        ["POST", "/segments/preview", { rules }],
        ["PATCH", `/segments/${segment.id}`, { rules }],
      ] as const) {
        const answer = await call(method, path, body);
        expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, "NOT_FOUND"]);
        expect(answer.body.error.message).toContain("rules.all[1].value");
      }
      expect((await call("GET", "/segments")).body.pagination.total).toBe(total);
      expect((await call("GET", `/segments/${segment.id}`)).body.data).toEqual(segment);
    },
  );

  test("a list or campaign that is deleted later has nobody, and the segment stays", async () => {
    const own = await listOf(api, "Short-lived", []);
    const campaign = await newCampaign(api, { listId: list });
    const on = await create({ field: "list", op: "equals", value: own });
    const off = await create({ field: "list", op: "notEquals", value: own });
    const got = await create({ field: "received", op: "notEquals", value: campaign.id });
    expect((await call("DELETE", `/lists/${own}`)).status).toBe(204);
    expect((await call("DELETE", `/campaigns/${campaign.id}`)).status).toBe(204);
    expect(await emails(on.id)).toEqual([]);
    expect(await emails(off.id)).toHaveLength(4);
    expect(await emails(got.id)).toHaveLength(4);
    // Renaming it needs nothing that is gone; writing the rules again does.
    expect((await call("PATCH", `/segments/${on.id}`, { name: "Old" })).status).toBe(200);
    expect((await call("PATCH", `/segments/${on.id}`, { rules: on.rules })).status).toBe(404);
  });
});

describe("segments in segments", () => {
  const inSegment = (id: string) => ({ field: "segment", op: "equals", value: id });

  test("mean whom the other one has now", async () => {
    const vips = await create(VIP);
    const others = await create({ not: inSegment(vips.id) });
    expect(await emails(others.id)).toEqual(["linus"]);
    await call("PATCH", `/segments/${vips.id}`, { rules: { field: "tag", op: "equals", value: "beta" } });
    expect(await emails(others.id)).toEqual(["linus", "grace", "ada"]);
  });

  test("never a segment itself, nor in a circle: 422 with the place, and nothing changes", async () => {
    const a = await create(VIP, "A");
    const b = await create({ all: [inSegment(a.id)] }, "B");
    const c = await create({ any: [VIP, { not: inSegment(b.id) }] }, "C");
    for (const id of [a.id, b.id, c.id]) {
      const { status, body } = await call("PATCH", `/segments/${a.id}`, {
        rules: { all: [VIP, inSegment(id)] },
      });
      expect([status, body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
      expect(body.error.message).toContain("rules.all[1].value");
    }
    expect((await call("GET", `/segments/${a.id}`)).body.data).toEqual(a);
    expect(
      (await call("PATCH", `/segments/${c.id}`, { rules: { all: [inSegment(a.id), inSegment(b.id)] } }))
        .status,
    ).toBe(200);
    expect(await emails(c.id)).toEqual(["alan", "grace", "ada"]);
  });

  test("one that another uses is not deleted: 409 naming it; it is, once nothing does", async () => {
    const used = await create(VIP, "Used");
    const user = await create({ all: [inSegment(used.id), inSegment(used.id)] }, "The user");
    const { status, body } = await call("DELETE", `/segments/${used.id}`);
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    expect(body.error.message).toContain("The user");
    expect(await emails(user.id)).toHaveLength(3);
    await call("PATCH", `/segments/${user.id}`, { name: "Still the user" });
    expect((await call("DELETE", `/segments/${used.id}`)).status).toBe(409);
    await call("PATCH", `/segments/${user.id}`, { rules: VIP });
    expect((await call("DELETE", `/segments/${used.id}`)).status).toBe(204);
  });
});

describe("another workspace", () => {
  test("has segments of its own, and none of their people, lists and segments", async () => {
    const other = await api.services.workspaces.create("Neighbours");
    const asOther = (method: string, path: string, body?: unknown) => api.call(method, path, body, other.key);
    const own = await create(VIP);
    expect((await asOther("GET", "/segments")).body).toMatchObject({ data: [], pagination: { total: 0 } });
    for (const path of ["", "/contacts", "/count"])
      expect((await asOther("GET", `/segments/${own.id}${path}`)).status).toBe(404);
    expect((await asOther("PATCH", `/segments/${own.id}`, { name: "Mine" })).status).toBe(404);
    expect((await asOther("DELETE", `/segments/${own.id}`)).status).toBe(404);
    for (const [field, value] of [
      ["segment", own.id],
      ["list", list],
    ] as const)
      expect(
        (await asOther("POST", "/segments", { name: "A", rules: { field, op: "equals", value } })).status,
      ).toBe(404);
    const theirs = (await asOther("POST", "/segments", { name: "Theirs", rules: { not: VIP } })).body.data;
    expect((await asOther("GET", `/segments/${theirs.id}/count`)).body.data).toEqual({
      total: 0,
      subscribed: 0,
    });
    await asOther("POST", "/contacts", { email: "ada@example.com", tags: ["vip"] });
    expect((await asOther("POST", "/segments/preview", { rules: VIP })).body.data.total).toBe(1);
    expect((await preview(VIP)).total).toBe(3);
  });
});
