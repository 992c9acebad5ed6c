import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PUBLIC_LISTS_MAX } from "#lists/options.ts";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { listOf } from "../../support/people/people.ts";

let server: TestApi;
let api: TestApi;
beforeAll(async () => {
  server = await startApi();
  api = await inNewWorkspace(server);
});
afterAll(() => server.stop());

const HIDDEN = { public: false, publicName: "", description: "" };
const read = async (id: string) => (await api.call("GET", `/lists/${id}/options`)).body.data;
const patch = (id: string, body: unknown) => api.call("PATCH", `/lists/${id}/options`, body);

describe("the options of a list", () => {
  test("are not public, without a name and a description, until they are set", async () => {
    const id = await listOf(api, "Quiet");
    const answer = await api.call("GET", `/lists/${id}/options`);
    expect([answer.status, answer.body]).toEqual([200, { data: HIDDEN }]);
  });

  const LONG = "x".repeat(200);
  const CHANGES: readonly (readonly [body: unknown, after: object])[] = [
    [{}, {}],
    ["{", {}],
    ["", {}],
    ["[]", {}],
    [{ unknown: 1 }, {}],
    [{ public: true }, { public: true }],
    [{ public: false }, {}],
    [{ publicName: "  News \u0000 of ours " }, { publicName: "News  of ours" }],
    [{ description: " Once a month.\nNo more. " }, { description: "Once a month.\nNo more." }],
    [{ public: null, publicName: null, description: null }, {}],
    [
      { public: true, publicName: LONG, description: "é".repeat(500) },
      { public: true, publicName: LONG, description: "é".repeat(500) },
    ],
    [{ publicName: "", description: "" }, {}],
  ];
  test.each(CHANGES)("change with %j only as they were sent", async (body, after) => {
    const id = await listOf(api, "Changing");
    const answer = await patch(id, body);
    expect([answer.status, answer.body]).toEqual([200, { data: { ...HIDDEN, ...after } }]);
    expect(await read(id)).toEqual({ ...HIDDEN, ...after });
    const list = (await api.call("GET", `/lists/${id}`)).body.data;
    expect(Object.keys(list)).toEqual(["id", "orgId", "name", "createdAt", "contactCount"]);
    expect(list.name).toBe("Changing");
    await patch(id, { public: false });
  });

  const BAD: readonly unknown[] = [
    { public: "yes" },
    { public: 1 },
    { publicName: 7 },
    { publicName: "x".repeat(201) },
    { description: [] },
    { description: "x".repeat(501) },
    { public: true, description: 1 },
    { name: "Other" },
    { isPublic: true },
  ];
  test.each(BAD.map((body) => [body]))("are not changed by %j: 422", async (body) => {
    const id = await listOf(api, "Kept");
    const kept = { public: true, publicName: "Ours", description: "What we do." };
    await patch(id, kept);
    const answer = await patch(id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(await read(id)).toEqual(kept);
    await patch(id, { public: false });
  });

  test("of no list of this workspace: 404, also with a bad body", async () => {
    const id = await listOf(api, "Ours");
    const other = await api.services.workspaces.create("Neighbours");
    for (const path of ["list_none", id]) {
      const key = path === id ? other.key : undefined;
      expect((await api.call("GET", `/lists/${path}/options`, undefined, key)).status).toBe(404);
      expect((await api.call("PATCH", `/lists/${path}/options`, { public: 7 }, key)).status).toBe(404);
    }
    expect(await read(id)).toEqual(HIDDEN);
  });

  test("survive a new name of the list, and go with the list", async () => {
    const id = await listOf(api, "Before");
    await patch(id, { public: true, publicName: "Readers' name" });
    await api.call("PATCH", `/lists/${id}`, { name: "After" });
    expect(await read(id)).toEqual({ ...HIDDEN, public: true, publicName: "Readers' name" });
    expect((await api.call("DELETE", `/lists/${id}`)).status).toBe(204);
    expect((await api.call("GET", `/lists/${id}/options`)).status).toBe(404);
  });

  test(`make at most ${PUBLIC_LISTS_MAX} lists of a workspace public`, async () => {
    api = await inNewWorkspace(server);
    const ids = [];
    for (let n = 0; n <= PUBLIC_LISTS_MAX; n++) ids.push(await listOf(api, `List ${n}`));
    for (const id of ids.slice(1)) expect((await patch(id, { public: true })).status).toBe(200);
    const refused = await patch(ids[0]!, { public: true, publicName: "One more" });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      "A workspace has at most 100 public lists. Take `public` off another one first.",
    ]);
    expect(await read(ids[0]!)).toEqual(HIDDEN);
    expect((await patch(ids[1]!, { public: true, description: "Still there" })).status).toBe(200);
    await patch(ids[1]!, { public: false });
    expect((await patch(ids[0]!, { public: true })).status).toBe(200);
  });
});
