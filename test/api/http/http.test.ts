import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { BODY_BYTES_MAX } from "#http/body/request-body.ts";
import type { Route } from "#http/routes/route.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";
import { signedIn } from "../../support/server/signed-in.ts";

let api: TestApi;
let routes: readonly Route[];
beforeAll(async () => {
  api = await startApi();
  routes = api.routes;
});
afterAll(() => api.stop());

/** A route's path with ids nobody has. */
const pathOf = (route: Route) => route.path.replaceAll(/:[^/]+/g, "nothing");
const authorized = (path: string, init: RequestInit = {}) =>
  fetch(`${api.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${api.key}`, ...init.headers },
  });
const unauthorized = (path: string, init: RequestInit) => fetch(`${api.url}/api/v1${path}`, init);

describe("unknown routes and methods", () => {
  test("an unknown route is 404 NOT_FOUND in an envelope, for every method", async () => {
    for (const path of [
      "/nothing",
      "/contacts/a/b/c",
      "/contact",
      "/Contacts",
      "/lists/a/contacts/b/c",
      "/",
    ]) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await api.call(method, path, method === "GET" ? undefined : {});
        expect([path, method, answer.status, answer.body.error.code]).toEqual([
          path,
          method,
          404,
          "NOT_FOUND",
        ]);
      }
    }
  });

  test("a known route with a wrong method is 405 with Allow", async () => {
    const methodsOf = Map.groupBy(routes, ({ path }) => path);
    expect(methodsOf.size).toBeGreaterThan(5);
    const isAlso = (path: string, pattern: string): boolean =>
      new RegExp(`^${pattern.replaceAll(/:[^/]+/g, "[^/]+")}$`).test(path);
    for (const [path, known] of methodsOf) {
      // `/contacts/bulk` is `/contacts/:id` too, and takes what that takes.
      const taking = routes.filter((route) => isAlso(path, route.path));
      const allowed = new Set<string>(taking.map(({ method }) => method));
      if (allowed.has("GET")) allowed.add("HEAD");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((each) => !allowed.has(each))) {
        const answer = await api.call(method, pathOf(known[0]!), method === "GET" ? undefined : {});
        expect([path, method, answer.status, answer.body.error.code]).toEqual([
          path,
          method,
          405,
          "METHOD_NOT_ALLOWED",
        ]);
        expect(answer.headers.get("allow")!.split(", ").toSorted()).toEqual([...allowed].toSorted());
      }
    }
  });

  test("HEAD answers like GET, without a body", async () => {
    const { id } = await person(api, "ada@example.com");
    for (const path of ["/contacts", "/lists", `/contacts/${id}`]) {
      const answer = await api.call("HEAD", path);
      expect([answer.status, answer.body]).toEqual([200, null]);
    }
    expect((await api.call("HEAD", "/contacts/nobody")).status).toBe(404);
    expect((await api.call("HEAD", "/contacts?status=x")).status).toBe(422);
  });
});

describe("an answer is for whoever asked, so no cache keeps it", () => {
  const keptBy = async (asked: Promise<Response>) => {
    const answer = await asked;
    await answer.body?.cancel();
    return [answer.status, answer.headers.get("cache-control")];
  };

  test("people, an export of them, a key that is shown once, and what is not there", async () => {
    await person(api, "kept@example.com");
    const post = { method: "POST", body: "{}" };
    expect(await keptBy(authorized("/contacts"))).toEqual([200, "no-store"]);
    expect(await keptBy(authorized("/exports/contacts"))).toEqual([200, "no-store"]);
    expect(await keptBy(authorized("/keys", post))).toEqual([201, "no-store"]);
    expect(await keptBy(authorized("/contacts/nobody"))).toEqual([404, "no-store"]);
    expect(await keptBy(authorized("/nothing"))).toEqual([404, "no-store"]);
    expect(await keptBy(authorized("/contacts", { method: "PUT" }))).toEqual([405, "no-store"]);
  });

  test("on every route, with a key and without", async () => {
    const kept: string[] = [];
    for (const route of routes)
      for (const ask of [authorized, unauthorized]) {
        const { method } = route;
        const [status, cache] = await keptBy(ask(pathOf(route), { method }));
        if (cache !== "no-store") kept.push(`${method} ${route.path}: ${status} ${cache}`);
      }
    expect(kept).toEqual([]);
  });
});

describe("a path that is no UTF-8", () => {
  // Without the slash Bun finds the route; with it, or where CORS_ORIGINS is set, Elysia does.
  test.each(["", "/"])(
    "names nothing, like an id nobody has, on every route; with %p at its end",
    async (end) => {
      const named = routes.filter(({ path }) => path.includes(":"));
      expect(named.length).toBeGreaterThan(50);
      for (const route of named) {
        const { method } = route;
        const asked = [
          pathOf(route),
          route.path.replaceAll(/:[^/]+/g, "%zz"),
          route.path.replaceAll(/:[^/]+/g, "user%example"),
        ];
        const answers = await Promise.all(asked.map(async (path) => authorized(path + end, { method })));
        const [known = 0, ...others] = answers.map(({ status }) => status);
        expect([method, route.path, others]).toEqual([method, route.path, [known, known]]);
        expect(known).toBeLessThan(500);
      }
    },
  );
});

describe("order of checks", () => {
  test("the resource in the path comes before the body: 404 for every body", async () => {
    const withBody = routes.filter((route) => route.body && route.path.includes(":id"));
    expect(withBody.length).toBeGreaterThanOrEqual(3);
    const owner = await signedIn(api);
    for (const route of withBody) {
      for (const body of [{}, "{", { name: 7, email: 7, contactIds: 7, tags: 7 }]) {
        const { status } = await (route.access === "person" ? owner : api).call(
          route.method,
          pathOf(route),
          body,
        );
        expect([route.method, route.path, status]).toEqual([route.method, route.path, 404]);
      }
    }
  });

  test("and before the query", async () => {
    const withQuery = routes.filter(
      ({ method, path, query }) => method === "GET" && query && path.includes(":id"),
    );
    expect(withQuery.length).toBeGreaterThan(10);
    const query = "?after=x&limit=x&status=x&state=x&reason=x&include=x&email=x&q=%00";
    for (const route of withQuery) {
      const { status } = await api.call("GET", pathOf(route) + query);
      expect([route.path, status]).toEqual([route.path, 404]);
    }
  });
});

describe("bodies", () => {
  test("are read as JSON whatever the Content-Type says", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/octet-stream",
      "multipart/form-data",
      "",
    ]) {
      const response = await authorized("/lists", {
        method: "POST",
        body: '{"name":"Typed"}',
        headers: { "content-type": type },
      });
      expect(response.status).toBe(201);
    }
  });

  test("that cannot be read, or are no object, count as empty: 422 where something is required", async () => {
    for (const body of ["", "{", "null", "[]", "7", '"x"', "\u0000", '{"name":"x"', "{'name':'x'}"]) {
      expect((await api.call("POST", "/lists", body)).status).toBe(422);
      expect((await api.call("POST", "/contacts", body)).status).toBe(422);
    }
    const broken = await authorized("/lists", { method: "POST", body: new Uint8Array([0xff, 0xfe, 0x7b]) });
    expect(broken.status).toBe(422);
  });

  test("of more than 4 MiB are 413, said or streamed; of exactly 4 MiB are read", async () => {
    const padded = (bytes: number) => `{"name":"big"${" ".repeat(bytes - 14)}}`;
    const large = await api.call("POST", "/lists", padded(BODY_BYTES_MAX + 1));
    expect([large.status, large.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect((await api.call("POST", "/lists", padded(BODY_BYTES_MAX))).status).toBe(201);
    const chunk = new TextEncoder().encode(" ".repeat(1024 * 1024));
    let chunks = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => (chunks++ < 5 ? controller.enqueue(chunk) : controller.close()),
    });
    const streamed = await authorized("/lists", { method: "POST", body: stream });
    expect(streamed.status).toBe(413);
    expect(((await streamed.json()) as any).error.code).toBe("PAYLOAD_TOO_LARGE");
  });

  test("null for an optional field means not sent", async () => {
    const fields = { firstName: null, lastName: null, tags: null, status: null, consent: null };
    expect((await person(api, "nulls@example.com", fields)).status).toBe("SUBSCRIBED");
  });

  test("members nobody knows are ignored, __proto__ too", async () => {
    const answer = await api.call(
      "POST",
      "/contacts",
      '{"email":"proto@example.com","__proto__":{"status":"BOUNCED"},"id":"mine","constructor":1}',
    );
    expect(answer.body.data).toMatchObject({ email: "proto@example.com", status: "SUBSCRIBED" });
    expect(answer.body.data.id).not.toBe("mine");
  });
});

describe("what routes document", () => {
  test("every object in an answer says whether it may have more fields", () => {
    for (const route of routes) {
      for (const schema of Object.values(route.answers)) {
        for (const object of schema === null ? [] : objectsIn(schema)) {
          const says = "additionalProperties" in object || "patternProperties" in object;
          expect([route.method, route.path, says]).toEqual([route.method, route.path, true]);
        }
      }
    }
  });

  test("every route has a summary of its own", () => {
    expect(new Set(routes.map(({ summary }) => summary)).size).toBe(routes.length);
  });
});

function objectsIn(schema: TSchema): TSchema[] {
  const inner = [
    ...Object.values(schema["properties"] ?? {}),
    ...(schema["anyOf"] ?? []),
    schema["items"] ?? [],
  ].flat() as TSchema[];
  return [...(schema["type"] === "object" ? [schema] : []), ...inner.flatMap(objectsIn)];
}
