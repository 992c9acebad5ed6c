import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BASE_URL } from "../../support/server/api.ts";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { listOf } from "../../support/people/people.ts";

let api: FormsApi;
beforeAll(async () => {
  api = await startForms();
});
afterAll(() => api.stop());

const create = (body: unknown) => api.call("POST", "/forms", body);
const patch = (id: string, body: unknown) => api.call("PATCH", `/forms/${id}`, body);

describe("POST /forms", () => {
  test("a name is enough; the rest has the contract's defaults", async () => {
    const { status, body } = await create({ name: "  Stay in touch  " });
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...rest } = body.data;
    expect(updatedAt).toBe(createdAt);
    expect(rest).toEqual({
      name: "Stay in touch",
      listId: null,
      fields: ["firstName"],
      style: {},
      successMessage: "Thanks! You're subscribed.",
      embedUrl: `${BASE_URL}/api/forms/${id}/submit`,
    });
  });

  test("takes list, fields and message; entries that are no strings are dropped, a style is not taken", async () => {
    const listId = await listOf(api, "Readers");
    const fields = ["lastName", 5, null, { a: 1 }, "city", ["x"]];
    const { status, body } = await create({
      name: "A",
      listId,
      fields,
      successMessage: "Danke!",
      style: { buttonText: "Go" },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      listId,
      fields: ["lastName", "city"],
      successMessage: "Danke!",
      style: {},
    });
  });

  test.each([
    ["no body", undefined],
    ["unreadable", "{"],
    ["no name", { successMessage: "x" }],
    ["a null name", { name: null }],
    ["an empty name", { name: " \n " }],
    ["a name that is no string", { name: 5 }],
    ["fields that are no array", { name: "A", fields: "firstName" }],
    ["a message that is no string", { name: "A", successMessage: {} }],
    ["an empty list id", { name: "A", listId: "" }],
    ["a list id that is no string", { name: "A", listId: 7 }],
  ])("%s is 422 and makes nothing", async (_, body) => {
    const before = (await api.call("GET", "/forms")).body.pagination.total;
    expect((await create(body)).body.error?.code).toBe("VALIDATION_ERROR");
    expect((await api.call("GET", "/forms")).body.pagination.total).toBe(before);
  });

  test("a list that is not there, or another workspace's, is 404", async () => {
    const other = await api.services.workspaces.create("Other");
    const foreign = (await api.call("POST", "/lists", { name: "Theirs" }, other.key)).body.data.id;
    for (const listId of ["list_none", foreign])
      expect((await create({ name: "A", listId })).body.error?.code).toBe("NOT_FOUND");
  });
});

describe("PATCH /forms/{id}", () => {
  test("changes what is sent, keeps the rest, and moves updatedAt only then", async () => {
    const form = await newForm(api);
    expect((await patch(form.id, {})).body.data).toEqual(form);
    expect((await patch(form.id, "nonsense")).body.data).toEqual(form);
    expect((await patch(form.id, { name: null, style: null, fields: null })).body.data).toEqual(form);
    api.clock.shift(1_000);
    const style = { buttonText: "Go", nested: { any: ["thing", 1, null] } };
    const changed = (await patch(form.id, { name: "New", fields: [], style, successMessage: "" })).body.data;
    expect(changed).toEqual({ ...form, name: "New", fields: [], style, updatedAt: changed.updatedAt });
    expect(changed.updatedAt > form.updatedAt).toBe(true);
    expect((await api.call("GET", `/forms/${form.id}`)).body.data).toEqual(changed);
    expect((await patch(form.id, { style: { buttonText: "Join" } })).body.data.style).toEqual({
      buttonText: "Join",
    });
  });

  test("listId null detaches the list, an id attaches one, an unknown one is 404 and changes nothing", async () => {
    const form = await newForm(api);
    expect((await patch(form.id, { listId: null })).body.data.listId).toBeNull();
    expect((await patch(form.id, { listId: form.listId })).body.data.listId).toBe(form.listId);
    expect((await patch(form.id, { listId: "list_none", name: "No" })).status).toBe(404);
    expect((await api.call("GET", `/forms/${form.id}`)).body.data).toMatchObject({
      listId: form.listId,
      name: form.name,
    });
  });

  test("deleting a list takes it off its forms", async () => {
    const form = await newForm(api);
    await api.call("DELETE", `/lists/${form.listId}`);
    expect((await api.call("GET", `/forms/${form.id}`)).body.data.listId).toBeNull();
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  test.each([
    ["an empty name", { name: "" }],
    ["fields that are no array", { fields: {} }],
    ["a style that is no object", { style: [] }],
    ["a style that is text", { style: "red" }],
    ["a style as large as a page", { style: { a: "x".repeat(17_000) } }],
    ["a style nested 40 deep", { style: deep(40) }],
    ["a style with a key that reaches prototypes", '{"style":{"a":{"__proto__":{"polluted":1}}}}'],
  ])("%s is 422", async (_, body) => {
    const form = await newForm(api);
    expect((await patch(form.id, body)).body.error?.code).toBe("VALIDATION_ERROR");
    expect((await api.call("GET", `/forms/${form.id}`)).body.data).toEqual(form);
    expect(({} as any).polluted).toBeUndefined();
  });
});

test("DELETE answers 204 once, then 404; so does every other route on it, and another workspace's form", async () => {
  const form = await newForm(api);
  const other = await api.services.workspaces.create("Stranger");
  for (const method of ["GET", "PATCH", "DELETE"])
    expect(
      (await api.call(method, `/forms/${form.id}`, method === "PATCH" ? {} : undefined, other.key)).status,
    ).toBe(404);
  expect((await api.call("DELETE", `/forms/${form.id}`)).status).toBe(204);
  for (const method of ["GET", "PATCH", "DELETE"])
    expect(
      (await api.call(method, `/forms/${form.id}`, method === "PATCH" ? { name: "" } : undefined)).status,
    ).toBe(404);
});

test("GET /forms pages through all of them, newest first, each once", async () => {
  const other = await api.services.workspaces.create("Pages");
  const made: string[] = [];
  for (let i = 0; i < 7; i++)
    made.push((await api.call("POST", "/forms", { name: `F${i}` }, other.key)).body.data.id);
  const seen: string[] = [];
  let after = "";
  do {
    const { body } = await api.call("GET", `/forms?limit=3&after=${after}`, undefined, other.key);
    expect(body.pagination.total).toBe(7);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    after = body.pagination.nextCursor ?? "";
  } while (after !== "");
  expect(seen).toEqual(made.toReversed());
});
