import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { attributeCalls } from "../../support/people/attributes.ts";
import { startApi, type Answer, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree } from "../../support/people/people.ts";
import { rowsFrom } from "../../support/server/services.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  expect(derivedTablesAgree(api)).toBe(true);
  await api.stop();
});

const { newPerson, change, attributesOf, list, named } = attributeCalls(() => api);
const code = ({ status, body }: Answer) => [status, body?.error?.code];

describe("GET /attributes", () => {
  test("says by name which types there are and how many contacts have it", async () => {
    const { key } = await api.services.workspaces.create("Types");
    const post = (email: string, attributes: object) =>
      api.call("POST", "/contacts", { email, attributes }, key);
    expect((await api.call("GET", "/attributes", undefined, key)).body).toEqual({ data: [] });
    await post("a@example.com", { b: 1, A: "x", c: true, d: [] });
    await post("b@example.com", { b: "two", c: false });
    await post("c@example.com", { b: ["three"] });
    expect((await api.call("GET", "/attributes", undefined, key)).body).toEqual({
      data: [
        { name: "A", types: ["string"], contacts: 1 },
        { name: "b", types: ["string", "number", "list"], contacts: 3 },
        { name: "c", types: ["boolean"], contacts: 2 },
        { name: "d", types: ["list"], contacts: 1 },
      ],
    });
  });

  test("a name that nobody has any more is not listed: removed, of another type, or its contact deleted", async () => {
    const { id } = await newPerson({ leaving: 1, staying: 1 });
    const other = await newPerson({ leaving: "text" });
    expect(await named("leaving")).toEqual({ name: "leaving", types: ["string", "number"], contacts: 2 });
    await change(id, { leaving: null });
    expect(await named("leaving")).toEqual({ name: "leaving", types: ["string"], contacts: 1 });
    await change(other.id, { leaving: false });
    expect(await named("leaving")).toEqual({ name: "leaving", types: ["boolean"], contacts: 1 });
    await api.call("DELETE", `/contacts/${other.id}`);
    expect(await named("leaving")).toBeNull();
    await api.call("DELETE", `/contacts/${id}`);
    expect(await named("staying")).toBeNull();
  });
});

describe("DELETE /attributes/{name}", () => {
  test("takes it off everybody, and off nothing else", async () => {
    const before = await newPerson({ gone: "ÉCOLE", beside: 1 });
    const only = await newPerson({ gone: ["x"] });
    const answer = await api.call("DELETE", "/attributes/gone");
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await attributesOf(before.id)).toEqual({ beside: 1 });
    expect(await attributesOf(only.id)).toEqual({});
    expect([await named("gone"), (await named("beside"))?.contacts]).toEqual([null, 1]);
    await change(only.id, { gone: 5 });
    expect(await named("gone")).toEqual({ name: "gone", types: ["number"], contacts: 1 });
  });

  test("a name that nobody has is a 404, in another spelling or from another workspace too", async () => {
    await newPerson({ Mine: 1 });
    const { key } = await api.services.workspaces.create("Neighbours");
    for (const [name, as] of [
      ["mine", api.key],
      ["Mine", key],
      ["no%20name", api.key],
      ["Mine%22", api.key],
    ] as const)
      expect(code(await api.call("DELETE", `/attributes/${name}`, undefined, as))).toEqual([
        404,
        "NOT_FOUND",
      ]);
    expect(await list(key)).toEqual([]);
    expect(await named("Mine")).toEqual({ name: "Mine", types: ["number"], contacts: 1 });
  });

  test("reaches thousands, between those of others, and lets other requests through meanwhile", async () => {
    const { key } = await api.services.workspaces.create("Thousands");
    await Promise.all(
      Array.from({ length: 1_300 }, async (_, i) => {
        const attributes = i % 3 === 0 ? { wide: i, other: "é" } : { other: 1 };
        const as = i % 2 === 0 ? key : api.key;
        await api.call("POST", "/contacts", { email: `many${i}@example.com`, attributes }, as);
      }),
    );
    const [deleted, meanwhile] = await Promise.all([
      api.call("DELETE", "/attributes/wide", undefined, key),
      api.call("GET", "/contacts?include=attributes", undefined, key),
    ]);
    expect([deleted.status, meanwhile.status]).toEqual([204, 200]);
    const left = rowsFrom<{ workspace: number; n: number }>(
      api,
      `SELECT workspace, count(*) AS n FROM contact_attributes WHERE attributes ->> 'wide' IS NOT NULL GROUP BY 1`,
    );
    expect(left.map(({ n }) => n)).toEqual([217]);
    expect((await named("wide"))?.contacts).toBe(217);
    expect((await list(key)).map(({ name, contacts }) => [name, contacts])).toEqual([["other", 650]]);
  });
});
