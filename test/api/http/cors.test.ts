/**
 * What pages of other sites may read: forms from anywhere, or from where the workspace allows; the API only
 * from CORS_ORIGINS.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { freshIp, newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { spyOnStatements } from "../../support/storage/statement-spy.ts";
import { needsSqlite } from "../../support/server/services.ts";

const SHOP = "https://shop.example.com";
let api: FormsApi;
let form: any;
const statements = spyOnStatements();
beforeAll(async () => {
  api = await startForms({}, { corsOrigins: [SHOP, "http://localhost:3000"] });
  form = await newForm(api);
});
afterAll(async () => {
  statements.stop();
  await api.stop();
});

const ask = (path: string, init: RequestInit & { origin?: string | null } = {}) => {
  const { origin = SHOP, headers, ...rest } = init;
  return fetch(api.url + path, {
    ...rest,
    headers: {
      "X-Forwarded-For": freshIp(),
      ...(origin === null ? {} : { Origin: origin }),
      ...(headers as Record<string, string>),
    },
  });
};
const key = () => ({ Authorization: `Bearer ${api.key}` });
const readableFor = ({ headers }: Response) => headers.get("access-control-allow-origin");

describe("the API, where CORS_ORIGINS names a site", () => {
  test("may be called from its pages: answers carry the headers, errors too, each in its envelope and with its id", async () => {
    const calls: [number, string, RequestInit][] = [
      [200, "/api/v1/contacts", { headers: key() }],
      [201, "/api/v1/lists", { method: "POST", headers: key(), body: '{"name":"News"}' }],
      [401, "/api/v1/contacts", {}],
      [404, "/api/v1/contacts/nobody", { headers: key() }],
      [404, "/api/v1/nothing", { headers: key() }],
      [404, "/api/v1", { headers: key() }],
      [405, "/api/v1/contacts", { method: "PUT", headers: key(), body: "{}" }],
      [413, "/api/v1/lists", { method: "POST", headers: key(), body: " ".repeat(4 * 1024 * 1024 + 1) }],
      [422, "/api/v1/lists", { method: "POST", headers: key(), body: "{}" }],
    ];
    for (const [status, path, init] of calls) {
      const answer = await ask(path, init);
      expect([path, answer.status, readableFor(answer), answer.headers.get("vary")]).toEqual([
        path,
        status,
        SHOP,
        "Origin",
      ]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{24}$/);
      const exposed = answer.headers.get("access-control-expose-headers");
      for (const header of ["X-Request-Id", "Allow", "Retry-After"]) expect(exposed).toContain(header);
      expect(await answer.json()).toBeObject();
    }
    expect(
      (await ask("/api/v1/contacts", { headers: key(), origin: "http://localhost:3000" })).headers.get(
        "access-control-allow-origin",
      ),
    ).toBe("http://localhost:3000");
  });

  test("answers the preflight of a call with a key, which needs none itself", async () => {
    for (const path of ["/api/v1/contacts", "/api/v1/contacts/ct_1", "/api/v1/send"]) {
      const answer = await ask(path, {
        method: "OPTIONS",
        headers: {
          "Access-Control-Request-Method": "PATCH",
          "Access-Control-Request-Headers": "authorization",
        },
      });
      expect([answer.status, readableFor(answer), await answer.text()]).toEqual([204, SHOP, ""]);
      expect(answer.headers.get("access-control-allow-methods")).toBe("GET, POST, PATCH, DELETE");
      expect(answer.headers.get("access-control-allow-headers")).toBe(
        "Authorization, Content-Type, Idempotency-Key",
      );
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("access-control-max-age")).toBe("600");
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{24}$/);
    }
  });

  test("is read by no other site, and by programs as ever", async () => {
    for (const origin of [
      "https://evil.example",
      `${SHOP}.evil.example`,
      "http://shop.example.com",
      "null",
      "constructor",
      null,
    ]) {
      const answer = await ask("/api/v1/contacts", { headers: key(), origin });
      expect([origin, answer.status, readableFor(answer)]).toEqual([origin, 200, null]);
      expect(readableFor(await ask("/api/v1/contacts", { method: "OPTIONS", origin }))).toBeNull();
    }
  });

  test("changes nothing but headers: HEAD, paths with a slash at the end, a short host, parameters with %", async () => {
    const list = (await api.call("POST", "/lists", { name: "Other" })).body.data;
    for (const [path, init, status] of [
      [`/api/v1/lists/${list.id}`, { method: "HEAD" }, 200],
      ["/api/v1/lists", { method: "HEAD" }, 200],
      [`/api/v1/lists/${list.id}/`, {}, 200],
      ["/api/v1/lists/%2e%2e%2fx", {}, 404],
      ["/api/v1/lists/100%", {}, 404],
      ["/api/v1/suppressions/ada%example.com@relay.example", { method: "DELETE" }, 404],
      ["/api/v1/lists?limit=1", { headers: { Host: "x" } }, 200],
      [`/api/v1/lists/${list.id}`, { headers: { Host: "x" } }, 200],
    ] as const) {
      const answer = await ask(path, {
        ...init,
        headers: { ...key(), ...("headers" in init ? init.headers : {}) },
      });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  test("goes for nothing else of the service: pages, metrics, health, docs", async () => {
    for (const path of ["/", "/health", "/docs", "/metrics", `/forms/${form.id}`, "/nothing"])
      for (const method of ["GET", "OPTIONS"])
        expect([path, method, readableFor(await ask(path, { method }))]).toEqual([path, method, null]);
    for (const path of ["/api/v1/openapi.json", "/api/v1/openapi.json/"])
      expect([path, (await ask(path)).status, readableFor(await ask(path))]).toEqual([path, 200, "*"]);
  });
});

describe("a form", () => {
  const submit = (init: RequestInit & { origin?: string | null } = {}, id: string = form.id) =>
    ask(`/api/forms/${id}/submit`, { method: "POST", body: '{"email":"ada@example.com"}', ...init });

  test("takes a slash at the end of its path, and no more", async () => {
    const to = async (path: string, origin: string | null) => {
      const init = { method: "POST", body: '{"email":"slash@example.com"}', origin };
      return (await ask(`/api/forms/${form.id}/submit${path}`, init)).status;
    };
    for (const origin of [SHOP, null])
      expect([await to("/", origin), await to("/more", origin)]).toEqual([200, 404]);
  });

  test("may be submitted from any site, and every answer be read, without credentials", async () => {
    for (const origin of [SHOP, "https://elsewhere.example"]) {
      for (const [status, answer] of [
        [200, await submit({ origin })],
        [400, await submit({ origin, body: "{}" })],
        [404, await submit({ origin }, "form_none")],
        [404, await submit({ origin }, "%ff")],
        [413, await submit({ origin, body: "x".repeat(300_000) })],
        [405, await submit({ origin, method: "PUT" })],
      ] as const) {
        expect([status, answer.status, readableFor(answer)]).toEqual([status, status, origin]);
        expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
        expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
        expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{24}$/);
      }
    }
  });

  test.skipIf(needsSqlite("it reads SQLite's statements"))(
    "remembers whose pages may, and follows a change of the setting at once, from outside too",
    async () => {
      const preflight = async (origin: string) =>
        readableFor(await submit({ method: "OPTIONS", body: null, origin }));
      expect(await preflight("https://elsewhere.example")).toBe("https://elsewhere.example");
      statements.take();
      expect(await preflight("https://elsewhere.example")).toBe("https://elsewhere.example");
      // The server's own jobs may look for work meanwhile.
      const asked = statements.take().filter((sql) => !sql.includes("FROM imports"));
      expect(asked).toEqual(["PRAGMA data_version"]);

      await api.services.workspaces.changeSettings(api.workspaceId, { allowedOrigins: [SHOP] });
      expect([await preflight(SHOP), await preflight("https://elsewhere.example")]).toEqual([SHOP, null]);
      // As a command beside the server does it.
      const beside = openServices(api.dataDir, { clock: systemClock, random: systemRandom, log: SILENT_LOG });
      await beside.workspaces.changeSettings(api.workspaceId, { allowedOrigins: [] });
      await beside.close();
      expect(await preflight("https://elsewhere.example")).toBe("https://elsewhere.example");
    },
  );
});
