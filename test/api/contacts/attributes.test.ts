import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { attributeCalls } from "../../support/people/attributes.ts";
import { startApi, type Answer, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, listOf } from "../../support/people/people.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  expect(derivedTablesAgree(api)).toBe(true);
  await api.stop();
});

const { newPerson, change, attributesOf, list } = attributeCalls(() => api);
const code = ({ status, body }: Answer) => [status, body?.error?.code];
const EVERY_TYPE = {
  city: "Zürich",
  empty: "",
  age: 36,
  weight: -0.5,
  big: 1e21,
  customer: true,
  bounced: false,
  colours: ["red", "", "GRÜN"],
  none: [],
};

describe("POST and PATCH /contacts take `attributes`", () => {
  test("every type of value comes back as it was sent, on a new and on a known contact", async () => {
    const email = "every@example.com";
    const made = await api.call("POST", "/contacts", { email, attributes: EVERY_TYPE });
    expect([made.status, made.body.data.attributes]).toEqual([201, EVERY_TYPE]);
    const { id } = made.body.data;
    expect(await attributesOf(id)).toEqual(EVERY_TYPE);
    const again = await api.call("POST", "/contacts", { email, attributes: { age: 37 } });
    expect([again.status, again.body.data.attributes]).toEqual([200, { ...EVERY_TYPE, age: 37 }]);
    expect((await change(id, { age: "38" })).body.data.attributes).toEqual({ ...EVERY_TYPE, age: "38" });
    expect(await attributesOf(id)).toEqual({ ...EVERY_TYPE, age: "38" });
  });

  test("they are merged member by member; null removes one, and what is not sent stays", async () => {
    const { id } = await newPerson({ a: 1, b: "two", c: ["three"] });
    expect((await change(id, { b: null, d: true, never: null })).body.data.attributes).toEqual({
      a: 1,
      c: ["three"],
      d: true,
    });
    expect((await change(id, {})).body.data.attributes).toEqual({ a: 1, c: ["three"], d: true });
    expect((await change(id, { a: null, c: null, d: null })).body.data.attributes).toEqual({});
    expect(await attributesOf(id)).toEqual({});
  });

  test("a request without them leaves them alone, though it replaces tags", async () => {
    const { id, email } = await newPerson({ city: "Bern" });
    await api.call("POST", "/contacts", { email, firstName: "Ada" });
    await api.call("PATCH", `/contacts/${id}`, { tags: ["vip"] });
    expect(await attributesOf(id)).toEqual({ city: "Bern" });
  });

  test("`attributes` null is not sent", async () => {
    const { id, email } = await newPerson({ city: "Bern" });
    const answers = [
      await change(id, null),
      await api.call("POST", "/contacts", { email, attributes: null }),
    ];
    for (const answer of answers)
      expect([answer.status, answer.body.data.attributes]).toEqual([200, undefined]);
    expect(await attributesOf(id)).toEqual({ city: "Bern" });
  });

  test("names differ by case, and one that every object has is a name like any other", async () => {
    const attributes = { city: "a", City: "b", constructor: "c", toString: "d", hasOwnProperty: 1 };
    const { id } = await newPerson(attributes);
    expect(await attributesOf(id)).toEqual(attributes);
    await change(id, { constructor: null });
    expect(Object.keys((await attributesOf(id)) as object).toSorted()).toEqual(
      ["City", "city", "hasOwnProperty", "toString"].toSorted(),
    );
    expect(await attributesOf((await newPerson()).id)).toEqual({});
  });

  test("what cannot be stored is taken out of a text, and nothing else: spaces and lines stay", async () => {
    const { id } = await newPerson({ text: " a\0b\n\ud800 ", list: [" \0x "] });
    expect(await attributesOf(id)).toEqual({ text: " ab\n\ufffd ", list: [" x "] });
  });
});

describe("a contact shows `attributes` only where the request asks for them", () => {
  const shows = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { data } = (await api.call(method, path, body)).body;
    return [data].flat()[0].attributes;
  };

  test("by `include=attributes` on every route with contacts, {} where there are none", async () => {
    const full = await newPerson({ city: "Bern" });
    const bare = await newPerson();
    for (const [contact, expected] of [
      [full, { city: "Bern" }],
      [bare, {}],
    ] as const) {
      const listId = await listOf(api, "One", [contact.id]);
      const routes = [
        ["GET", `/contacts?q=${contact.email}`],
        ["GET", `/contacts/${contact.id}`],
        ["GET", `/lists/${listId}/contacts?limit=1`],
        ["POST", "/contacts", { email: contact.email }],
        ["PATCH", `/contacts/${contact.id}`, {}],
      ] as const;
      for (const [method, path, body] of routes) {
        const asking = `${path}${path.includes("?") ? "&" : "?"}include=attributes`;
        expect([path, await shows(method, asking, body)]).toEqual([path, expected]);
        for (const silent of [path, asking.replace("include=attributes", "include=")])
          expect([silent, await shows(method, silent, body)]).toEqual([silent, undefined]);
      }
    }
  });

  test("by a body that has them, an empty one too", async () => {
    const { id } = await newPerson();
    expect(await shows("PATCH", `/contacts/${id}`, { attributes: {} })).toEqual({});
    expect(await shows("POST", "/contacts", { email: "shown@example.com", attributes: {} })).toEqual({});
  });

  test("another `include` is a 422, after the resource in the path and with nothing written", async () => {
    const { id } = await newPerson();
    const listId = await listOf(api, "Includes", [id]);
    const before = (await api.call("GET", "/contacts")).body.pagination.total;
    for (const include of ["score", "Attributes", "attributes,attributes", "attributes,"]) {
      const query = `?include=${include}`;
      for (const [method, path, body] of [
        ["GET", "/contacts"],
        ["GET", `/contacts/${id}`],
        ["GET", `/lists/${listId}/contacts`],
        ["POST", "/contacts", { email: "never@example.com" }],
        ["PATCH", `/contacts/${id}`, { firstName: "Never" }],
      ] as const) {
        const answer = await api.call(method, path + query, body);
        expect([path, ...code(answer)]).toEqual([path, 422, "VALIDATION_ERROR"]);
        expect(answer.body.error.message).toContain("`attributes`");
      }
    }
    expect((await api.call("GET", "/contacts/missing?include=score")).status).toBe(404);
    expect((await api.call("PATCH", "/contacts/missing?include=score", {})).status).toBe(404);
    expect((await api.call("GET", "/lists/missing/contacts?include=score")).status).toBe(404);
    expect((await api.call("GET", "/contacts")).body.pagination.total).toBe(before);
    expect((await api.call("GET", `/contacts/${id}`)).body.data.firstName).toBe("");
  });
});

describe("what is beyond a limit or no value is a 422 that says what to do, and nothing changes", () => {
  const many = (n: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`n${i}`, value]));
  const refused: [string, unknown, string][] = [
    ["no object", "city=Bern", "must be an object"],
    ["an array", [], "must be an object"],
    ["a name with a space", { "first name": "a" }, "first name"],
    ["a name that begins with a digit", { "1st": "a" }, "letter"],
    ["a name that begins with _", { _id: "a" }, "letter"],
    ["a name in other letters", { größe: "a" }, "A to Z"],
    ["an empty name", { "": "a" }, "letter"],
    ["a name with a dot", { "a.b": "a" }, "letter"],
    ["a name of 65 characters", { ["a".repeat(65)]: "a" }, "64 characters"],
    ["a name that is none, to be removed", { "a.b": null }, "letter"],
    ["__proto__", JSON.parse('{"__proto__": "a"}'), "letter"],
    ["an object", { city: { name: "Bern" } }, "`attributes.city` must be a string"],
    ["a list with a number", { ids: ["a", 1] }, "`attributes.ids[1]` must be a string"],
    ["a list with null", { ids: [null] }, "`attributes.ids[0]` must be a string"],
    ["a list of lists", { ids: [["a"]] }, "`attributes.ids[0]` must be a string"],
    ["a number that is not finite", '{"attributes": {"n": 1e400}}', "`attributes.n` is too large a number"],
    ["1,001 characters", { text: "é".repeat(1_001) }, "`attributes.text` is longer than 1000 characters"],
    ["a list of 51", { list: Array(51).fill("a") }, "`attributes.list` has 51 entries; at most 50"],
    ["1,001 characters in a list", { list: ["", "x".repeat(1_001)] }, "`attributes.list[1]` is longer"],
    ["101 attributes", many(100), "would have 101 attributes; at most 100"],
    ["1,001 members", many(1_001, null), "1001 members"],
    ["more than 16,384 bytes", many(17, "é".repeat(500)), "16384"],
  ];
  test.each(refused)("%s", async (_what, attributes, says) => {
    const { id, email } = await newPerson({ kept: 1 });
    const body = (more: object) =>
      typeof attributes === "string" && attributes.startsWith("{")
        ? attributes.replace("{", Object.keys(more).length > 0 ? `{"email": "${email}", ` : "{")
        : { ...more, attributes };
    for (const answer of [
      await api.call("PATCH", `/contacts/${id}`, body({})),
      await api.call("POST", "/contacts", body({ email })),
    ]) {
      expect(code(answer)).toEqual([422, "VALIDATION_ERROR"]);
      expect(answer.body.error.message).toContain(says);
    }
    expect(await attributesOf(id)).toEqual({ kept: 1 });
  });

  test("what is just within every limit is taken: 64, 1,000, 50 and 100, and characters are code points", async () => {
    const { id } = await newPerson();
    const within = {
      ["a".repeat(64)]: "💌".repeat(1_000),
      list: Array(50).fill("x"),
      ...Object.fromEntries(Array.from({ length: 98 }, (_, i) => [`n${i}`, ""])),
    };
    expect((await change(id, within)).body.data.attributes).toEqual(within);
    expect(code(await change(id, { one_more: 1 }))).toEqual([422, "VALIDATION_ERROR"]);
    expect((await change(id, { one_more: 1, list: null })).status).toBe(200);
  });

  test("16,384 bytes of JSON exactly, counted for the merged whole in UTF-8", async () => {
    const { id } = await newPerson({ a: "x".repeat(1_000) });
    const rest = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`b${i}`, "é".repeat(1_000)]));
    await change(id, rest);
    const bytes = () => attributesOf(id).then((all) => Buffer.byteLength(JSON.stringify(all)));
    const left = 16_384 - (await bytes()) - ',"c":""'.length;
    expect(left).toBeGreaterThan(1);
    const c = "x".repeat(Math.min(left, 1_000));
    const d = left > 1_000 ? { d: "x".repeat(left - 1_000 - ',"d":""'.length) } : {};
    expect((await change(id, { c, ...d })).status).toBe(200);
    expect(await bytes()).toBe(16_384);
    const answer = await change(id, { a: "x".repeat(999) + "é" });
    expect(answer.status).toBe(422);
    expect(answer.body.error.message).toContain("16385 bytes of JSON; at most 16384");
  });

  test("500 names a workspace; one that its only holder gives up makes room, and so does DELETE", async () => {
    const { key } = await api.services.workspaces.create("Many names");
    const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, key);
    const names = Array.from({ length: 500 }, (_, i) => `name_${i}`);
    const ids: string[] = [];
    for (let from = 0; from < 500; from += 100) {
      const attributes = Object.fromEntries(names.slice(from, from + 100).map((name) => [name, 1]));
      const { data } = (await call("POST", "/contacts", { email: `p${from}@example.com`, attributes })).body;
      ids.push(data.id);
    }
    expect(await list(key)).toHaveLength(500);
    const email = "p501@example.com";
    const beyond = await call("POST", "/contacts", { email, attributes: { new: 1, newer: 1 } });
    expect(code(beyond)).toEqual([422, "VALIDATION_ERROR"]);
    for (const says of ["502 different attribute names", "at most 500", '"new", "newer"', "GET /attributes"])
      expect(beyond.body.error.message).toContain(says);
    expect((await call("POST", "/contacts", { email, attributes: { name_0: 1 } })).status).toBe(201);
    const swap = { attributes: { name_1: null, swapped: 1 } };
    expect((await call("PATCH", `/contacts/${ids[0]}`, swap)).status).toBe(200);
    const keepsOne = { attributes: { name_0: null, another: 1 } };
    expect(code(await call("PATCH", `/contacts/${ids[0]}`, keepsOne))).toEqual([422, "VALIDATION_ERROR"]);
    expect((await call("DELETE", "/attributes/name_2")).status).toBe(204);
    expect((await call("PATCH", `/contacts/${ids[0]}`, keepsOne)).status).toBe(200);
    expect(await list(key)).toHaveLength(500);
  });

  test("the limit of names holds for requests that arrive together", async () => {
    const { key } = await api.services.workspaces.create("At once");
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const attributes = Object.fromEntries(Array.from({ length: 10 }, (__, j) => [`n${i}_${j}`, 1]));
        return api.call("POST", "/contacts", { email: `together${i}@example.com`, attributes }, key);
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(await list(key)).toHaveLength(500);
    expect((await api.call("GET", "/contacts", undefined, key)).body.pagination.total).toBe(50);
  });
});
