import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { isPostgres, rowsFrom, isDatabaseBusy } from "../../support/server/services.ts";
import { eventually } from "../../support/common/eventually.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop({ graceMs: 0 }));

const create = async (body: unknown = {}, key = api.key) =>
  (await api.call("POST", "/keys", body, key)).body.data;
const shown = async (id: string) =>
  (await api.call("GET", "/keys?limit=100")).body.data.find((key: any) => key.id === id);
const statusWith = async (key: string) => (await api.call("GET", "/lists", undefined, key)).status;

describe("POST /keys", () => {
  test("shows the whole key this once, and it opens this workspace", async () => {
    const { status, body } = await api.call("POST", "/keys", { name: "  Signup page " });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "Signup page",
      prefix: body.data.key.slice(0, 10),
      createdAt: new Date(clock.now()).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
      key: expect.stringMatching(/^pr_[A-Za-z0-9_-]{43}$/),
    });
    const { id } = (await api.call("POST", "/lists", { name: "By the new key" }, body.data.key)).body.data;
    expect((await api.call("GET", `/lists/${id}`)).status).toBe(200);
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["no name", {}],
    ["null", { name: null }],
    ["an empty name", { name: " " }],
  ])("%s: it is called `API key`", async (_what, body) => expect((await create(body)).name).toBe("API key"));

  test.each([
    ["a number", 5],
    ["two lines", "a\nb"],
    ["201 characters", "x".repeat(201)],
  ])("422 for a name that is %s", async (_what, name) => {
    const before = (await api.call("GET", "/keys")).body.pagination.total;
    expect((await api.call("POST", "/keys", { name })).status).toBe(422);
    expect((await api.call("GET", "/keys")).body.pagination.total).toBe(before);
  });

  test("the database has only its hash: the key is nowhere in its files", async () => {
    const { key, id } = await create({ name: "hidden" });
    const [{ hash, ...rest }] = rowsFrom(api, "SELECT * FROM api_keys WHERE id = ?", id);
    const kept = isPostgres ? Buffer.from(hash.slice(2), "hex") : Buffer.from(hash);
    expect(kept).toEqual(new Bun.CryptoHasher("sha256").update(key).digest());
    expect(JSON.stringify(rest)).not.toContain(key.slice(11));
    for (const name of new Bun.Glob("postrider.db*").scanSync({ cwd: api.dataDir }))
      expect((await Bun.file(`${api.dataDir}/${name}`).bytes()).toString()).not.toContain(key.slice(11));
  });
});

describe("GET /keys", () => {
  test("newest first, revoked ones too, without the key, a page at a time", async () => {
    const made = [await create({ name: "a" }), await create({ name: "b" }), await create({ name: "c" })];
    await api.call("DELETE", `/keys/${made[1].id}`);
    const { data, pagination } = (await api.call("GET", "/keys?limit=2")).body;
    expect(data.map(({ name }: any) => name)).toEqual(["c", "b"]);
    expect(data.map(({ revokedAt }: any) => revokedAt !== null)).toEqual([false, true]);
    expect(Object.keys(data[0])).not.toContain("key");
    const next = (await api.call("GET", `/keys?limit=100&after=${pagination.nextCursor}`)).body;
    expect(next.data[0].name).toBe("a");
    expect(next.pagination).toEqual({
      total: pagination.total,
      limit: 100,
      hasMore: false,
      nextCursor: null,
    });
    expect(next.data.length).toBe(pagination.total - 2);
  });
});

describe("lastUsedAt", () => {
  const usedAt = async ({ key, id }: { key: string; id: string }) => {
    await statusWith(key);
    await (isPostgres ? eventually(() => !isDatabaseBusy()) : api.services.database.writes.drain());
    return Date.parse((await shown(id)).lastUsedAt);
  };

  test("is set at the first use, then moves on at most once a minute", async () => {
    const made = await create({ name: "used" });
    expect((await shown(made.id)).lastUsedAt).toBeNull();
    const first = clock.now();
    expect(await usedAt(made)).toBe(first);
    clock.advance(59_999);
    expect(await usedAt(made)).toBe(first);
    clock.advance(1);
    expect(await usedAt(made)).toBe(first + 60_000);
  });

  test("is right again once a clock that was ahead is", async () => {
    const made = await create({ name: "ahead" });
    clock.advance(86_400_000);
    expect(await usedAt(made)).toBe(clock.now());
    clock.advance(-86_400_000);
    expect(await usedAt(made)).toBe(clock.now());
  });
});

describe("DELETE /keys/{id}", () => {
  test("revokes it from the next request on; a second time answers the first revocation", async () => {
    const { key, id } = await create();
    expect(await statusWith(key)).toBe(200);
    const { status, body } = await api.call("DELETE", `/keys/${id}`);
    expect([status, body]).toEqual([200, { data: { id, revokedAt: new Date(clock.now()).toISOString() } }]);
    expect(await statusWith(key)).toBe(401);
    clock.advance(5_000);
    expect((await api.call("DELETE", `/keys/${id}`)).body).toEqual(body);
    expect(await statusWith(key)).toBe(401);
  });

  test("a key may revoke itself", async () => {
    const { key, id } = await create();
    expect((await api.call("DELETE", `/keys/${id}`, undefined, key)).status).toBe(200);
    expect((await api.call("GET", "/keys", undefined, key)).status).toBe(401);
  });

  test("404 for an unknown key and for another workspace's, which stays alive", async () => {
    const other = await api.services.workspaces.create("Other");
    const theirs = await create({}, other.key);
    expect((await api.call("DELETE", "/keys/key_nothing")).status).toBe(404);
    expect((await api.call("DELETE", `/keys/${theirs.id}`)).status).toBe(404);
    expect(await shown(theirs.id)).toBeUndefined();
    expect(await statusWith(theirs.key)).toBe(200);
  });

  test("revoked from the command line, it opens nothing at the next request", async () => {
    const { key, id } = await create();
    await api.services.keys.revoke(api.workspaceId, id);
    expect(await statusWith(key)).toBe(401);
  });
});
