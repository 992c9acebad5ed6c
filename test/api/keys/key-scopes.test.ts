/** What a key of each scope may ask, as a table made from the API's document: no route can be forgotten. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { BASE_URL, callApi, startApi, type Answer, type TestApi } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";
import { unfitBody } from "../../support/document/unfit-body.ts";

let api: TestApi;
const keys: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi();
  for (const scope of ["full", "send", "read"])
    keys[scope] = (await api.call("POST", "/keys", { name: scope, scope })).body.data.key;
});
afterAll(() => api.stop({ graceMs: 0 }));

const document = apiDocument(BASE_URL);

/** Every route that takes a key. Ids in paths name nothing. */
const ROUTES = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { security }]) =>
    security === undefined
      ? [
          {
            method: method.toUpperCase(),
            path: path.replace("/api/v1", "").replaceAll(/\{[^}]+\}/g, "nothing"),
          },
        ]
      : [],
  ),
);

const SENDING = ["POST /send", "POST /events", "POST /events/bulk"];

/** As docs/decisions.md "Keys" has it. */
const isAllowed = (scope: string, method: string, path: string): boolean =>
  scope === "full" ||
  (scope === "read" && method === "GET") ||
  (scope === "send" && SENDING.includes(`${method} ${path}`));

const asked = (scope: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  api.call(method, path, body, keys[scope]);

describe("every route of the document", () => {
  test("answers 403 to a key whose scope does not cover it, and never to another", async () => {
    expect(ROUTES.length).toBeGreaterThanOrEqual(40);
    for (const { method, path } of ROUTES)
      for (const scope of ["full", "send", "read"]) {
        const { status, body: answer } = await asked(scope, method, path, unfitBody(method));
        const isForbidden = status === 403 && answer.error.code === "FORBIDDEN";
        expect([scope, method, path, isForbidden]).toEqual([
          scope,
          method,
          path,
          !isAllowed(scope, method, path),
        ]);
      }
  });

  test("documents that answer", () => {
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, { security, responses }] of Object.entries(operations))
        if (security === undefined) expect([method, path, "403" in responses]).toEqual([method, path, true]);
  });

  test("looks at the scope before the resource and the body, and after the key", async () => {
    for (const [method, path] of [
      ["PATCH", "/contacts/nothing"],
      ["POST", "/contacts"],
    ] as const) {
      expect((await asked("read", method, path, "{")).status).toBe(403);
      expect((await asked("full", method, path, "{")).status).not.toBe(403);
      expect((await api.call(method, path, "{", "pr_nothing")).status).toBe(401);
    }
  });
});

describe("beside the routes", () => {
  test("a route that is not there tells a key nothing that its scope does not cover", async () => {
    const statuses = async (method: string, path: string) =>
      Promise.all(
        ["full", "send", "read"].map(
          async (scope) => (await callApi(`${api.url}/api/v1${path}`, method, keys[scope]!)).status,
        ),
      );
    expect(await statuses("GET", "/nothing")).toEqual([404, 403, 404]);
    expect(await statuses("POST", "/nothing")).toEqual([404, 403, 403]);
    expect(await statuses("PUT", "/contacts")).toEqual([405, 403, 403]);
    expect(await statuses("GET", "/send")).toEqual([405, 403, 405]);
    expect(await statuses("GET", "")).toEqual([404, 403, 404]);
  });

  test("HEAD is reading; a slash at the end changes nothing", async () => {
    const head = async (scope: string) =>
      (
        await fetch(`${api.url}/api/v1/lists`, {
          method: "HEAD",
          headers: { authorization: `Bearer ${keys[scope]}` },
        })
      ).status;
    expect([await head("read"), await head("send")]).toEqual([200, 403]);
    const slashed = await callApi(`${api.url}/api/v1/contacts/`, "POST", keys["read"]!, {
      email: "a@b.example",
    });
    expect(slashed.status).toBe(403);
    const sent = await callApi(`${api.url}/api/v1/events/`, "POST", keys["send"]!, {});
    expect(sent.status).not.toBe(403);
  });
});

describe("a key", () => {
  test("that may read or send makes and revokes none, so nobody gets a wider scope by their own key", async () => {
    const { id } = (await api.call("POST", "/keys", {})).body.data;
    const before = (await api.call("GET", "/keys?include=scope")).body;
    for (const scope of ["send", "read"])
      for (const wanted of ["full", "send", "read"]) {
        expect((await asked(scope, "POST", "/keys", { scope: wanted })).status).toBe(403);
        expect((await asked(scope, "DELETE", `/keys/${id}`)).status).toBe(403);
      }
    const withoutUse = ({ data }: any) => data.map(({ lastUsedAt: _lastUsedAt, ...key }: any) => key);
    expect(withoutUse((await api.call("GET", "/keys?include=scope")).body)).toEqual(withoutUse(before));
  });

  test("keeps its scope while it is remembered, beside keys of other scopes", async () => {
    for (let round = 0; round < 3; round++)
      for (const [scope, status] of [
        ["full", 201],
        ["read", 403],
        ["send", 403],
      ] as const) {
        const { status: answered } = await asked(scope, "POST", "/lists", { name: "L" });
        expect([scope, answered]).toEqual([scope, status]);
      }
  });

  test("that may send records an event and does not read it", async () => {
    const event = await asked("send", "POST", "/events", { name: "signed_up", email: "ada@example.com" });
    expect(event.status).toBe(201);
    expect((await asked("send", "GET", "/events")).status).toBe(403);
  });

  test("that may read sees people and changes nobody", async () => {
    const grace = await person(api, "grace@example.com");
    expect((await asked("read", "GET", `/contacts/${grace.id}`)).body.data).toEqual(grace);
    expect((await asked("read", "PATCH", `/contacts/${grace.id}`, { consent: "declined" })).status).toBe(403);
    expect((await asked("read", "DELETE", `/contacts/${grace.id}`)).status).toBe(403);
    expect((await api.call("GET", `/contacts/${grace.id}`)).body.data).toEqual(grace);
  });
});

describe("`scope`", () => {
  const MEMBERS = ["id", "name", "prefix", "createdAt", "lastUsedAt", "revokedAt"];

  test("is `full` unless given, and shown where the body has it or the query asks for it", async () => {
    const plain = (await api.call("POST", "/keys", { name: "plain" })).body.data;
    expect(Object.keys(plain)).toEqual([...MEMBERS, "key"]);
    const nulled = (await api.call("POST", "/keys", { scope: null })).body.data;
    expect(Object.keys(nulled)).toEqual([...MEMBERS, "key"]);
    const given = (await api.call("POST", "/keys", { name: "given", scope: "send" })).body.data;
    expect([Object.keys(given), given.scope]).toEqual([[...MEMBERS, "scope", "key"], "send"]);
    expect((await api.call("POST", "/keys?include=scope", {})).body.data.scope).toBe("full");
    const shown = (await api.call("GET", "/keys?limit=100")).body.data;
    expect(shown.every((key: any) => !("scope" in key))).toBe(true);
    const scopes = (await api.call("GET", "/keys?limit=100&include=scope")).body.data;
    expect(Object.fromEntries(scopes.map((key: any) => [key.name, key.scope]))).toMatchObject({
      plain: "full",
      given: "send",
      read: "read",
      "First key": "full",
    });
  });

  test("another one is 422, and no key is made", async () => {
    const { total } = (await api.call("GET", "/keys")).body.pagination;
    for (const scope of ["", "admin", "Full", "read,send", 5, ["read"], {}])
      expect([scope, (await api.call("POST", "/keys", { scope })).status]).toEqual([scope, 422]);
    expect((await api.call("POST", "/keys?include=key", {})).status).toBe(422);
    expect((await api.call("GET", "/keys")).body.pagination.total).toBe(total);
  });

  test("another `include` is 422, an empty one is none", async () => {
    expect((await api.call("GET", "/keys?include=key")).status).toBe(422);
    expect((await api.call("GET", "/keys?include=scope,scope")).status).toBe(422);
    const { data } = (await api.call("GET", "/keys?include=")).body;
    expect(Object.keys(data[0])).toEqual(MEMBERS);
  });
});
