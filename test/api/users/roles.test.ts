/** What each role may ask, as a table made from the API's document: no route can be forgotten. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { BASE_URL, startApi, type TestApi } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";
import { joins, signedIn, type Person } from "../../support/server/signed-in.ts";
import { unfitBody } from "../../support/document/unfit-body.ts";

let api: TestApi;
let people: Record<string, Person>;
beforeAll(async () => {
  api = await startApi();
  people = {
    owner: await signedIn(api, "owner"),
    editor: await signedIn(api, "editor"),
    viewer: await signedIn(api, "viewer"),
  };
});
afterAll(() => api.stop({ graceMs: 0 }));

const document = apiDocument(BASE_URL);

/** Every route of a workspace. Ids in paths name nothing. */
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

const PREVIEWS = [
  "POST /automations/nothing/preview",
  "POST /automations/nothing/simulate",
  "POST /campaigns/nothing/check",
  "POST /campaigns/nothing/preview",
  "POST /contacts/search",
  "POST /imports/preview",
  "POST /forms/nothing/preview",
  "POST /letters/preview",
  "POST /segments/preview",
  "POST /templates/nothing/render",
];

const isAbout = (path: string, what: string): boolean => path === what || path.startsWith(`${what}/`);

/** As docs/contract.md "People and the console" has it. */
function isAllowed(role: string, method: string, path: string): boolean {
  if (role === "owner") return true;
  if (isAbout(path, "/keys") || isAbout(path, "/users")) return false;
  if (isAbout(path, "/settings")) return method === "GET";
  if (role === "editor") return true;
  if (PREVIEWS.includes(`${method} ${path}`)) return true;
  return method === "GET" && !isAbout(path, "/exports");
}

const ask = (role: string, method: string, path: string, body?: unknown) =>
  people[role]!.call(method, path, body);

describe("every route of a workspace", () => {
  test("answers 403 to somebody whose role does not cover it, and never to another", async () => {
    expect(ROUTES.length).toBeGreaterThanOrEqual(80);
    for (const { method, path } of ROUTES)
      for (const role of ["owner", "editor", "viewer"]) {
        const { status, body: answer } = await ask(role, method, path, unfitBody(method));
        const isForbidden = status === 403 && answer.error.code === "FORBIDDEN";
        expect([role, method, path, isForbidden]).toEqual([
          role,
          method,
          path,
          !isAllowed(role, method, path),
        ]);
        expect([role, method, path, status === 401]).toEqual([role, method, path, false]);
      }
  });

  test("names every preview there is, and only previews", () => {
    const named = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(PREVIEWS.filter((name) => !named.includes(name))).toEqual([]);
  });

  test("says so before the resource and the body, on routes that do not exist too", async () => {
    const viewer = people["viewer"]!;
    const headers = { cookie: viewer.cookie, "x-workspace": viewer.workspaceId };
    for (const [method, path, body] of [
      ["PATCH", "/contacts/nothing", "{"],
      ["POST", "/contacts", "x".repeat(5_000_000)],
      ["DELETE", "/contacts/nothing", undefined],
      ["POST", "/no/such/route", undefined],
    ] as const) {
      const answer = await fetch(`${api.url}/api/v1${path}`, { method, headers, ...(body && { body }) });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await ask("viewer", "GET", "/no/such/route")).status).toBe(404);
  });
});

describe("a refused request", () => {
  test("changes nothing", async () => {
    const ada = await person(api, "ada@example.com");
    await ask("viewer", "DELETE", `/contacts/${ada.id}`);
    await ask("viewer", "PATCH", `/contacts/${ada.id}`, { firstName: "Gone" });
    expect((await api.call("GET", `/contacts/${ada.id}`)).body.data).toEqual(ada);
    await ask("editor", "PATCH", "/settings", { fromName: "Theirs" });
    expect((await ask("editor", "GET", "/settings")).body.data.fromName).not.toBe("Theirs");
    await ask("editor", "POST", "/keys", { name: "Theirs" });
    await ask("editor", "POST", "/users", { email: "theirs@example.com", role: "owner" });
    expect((await ask("owner", "GET", "/keys")).body.pagination.total).toBe(1);
    expect((await ask("owner", "GET", "/users")).body.pagination.total).toBe(3);
  });
});

describe("a role", () => {
  test("holds in its own workspace: who is an owner here may be a viewer there", async () => {
    const there = await api.services.workspaces.create("There");
    const owner = await signedIn(api, "owner");
    const { cookie, call } = owner;
    await joins(api, there.id, owner, "viewer");
    expect((await call("POST", "/lists", { name: "Here" })).status).toBe(201);
    const inThere = { "x-workspace": there.id };
    expect((await call("POST", "/lists", { name: "There" }, inThere)).status).toBe(403);
    expect((await call("GET", "/lists", undefined, inThere)).body.data).toEqual([]);
    expect(cookie).not.toBe("");
  });

  test("that is changed or taken away holds from the next request on", async () => {
    const changed = await signedIn(api, "editor");
    const me = (await changed.call("GET", "/session")).body.data.user.id;
    expect((await changed.call("POST", "/lists", { name: "Mine" })).status).toBe(201);
    await ask("owner", "PATCH", `/users/${me}`, { role: "viewer" });
    expect((await changed.call("POST", "/lists", { name: "Mine" })).status).toBe(403);
    await ask("owner", "DELETE", `/users/${me}`);
    expect((await changed.call("GET", "/lists")).status).toBe(401);
  });
});
