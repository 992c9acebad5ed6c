import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BODY_BYTES_MAX } from "#http/body/request-body.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const send = (path: string, init: RequestInit = {}) => fetch(`${api.url}${path}`, init);

describe("401 UNAUTHORIZED, with WWW-Authenticate: Bearer", () => {
  const refused = async (path: string, method: string, authorization: string | null) => {
    const response = await send(path, { method, headers: authorization === null ? {} : { authorization } });
    expect([path, method, authorization, response.status]).toEqual([path, method, authorization, 401]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{24}$/);
    expect(((await response.json()) as any).error.code).toBe("UNAUTHORIZED");
  };

  test("on every route and on unknown ones, whatever the method, body or key's shape", async () => {
    const unknown = `pr_${"x".repeat(43)}`;
    const keys = [
      null,
      "",
      "Bearer",
      "Bearer ",
      `Basic ${api.key}`,
      api.key,
      `Bearer ${unknown}`,
      `Bearer ${api.key}x`,
      `Bearer x${api.key}`,
    ];
    for (const route of api.routes.filter(({ access }) => access !== "nobody"))
      await refused(`/api/v1${route.path.replaceAll(/:[^/]+/g, "nothing")}`, route.method, null);
    for (const key of keys) {
      await refused("/api/v1/contacts", "GET", key);
      await refused("/api/v1/contacts", "PUT", key);
      await refused("/api/v1/no/such/route", "GET", key);
      await refused("/api/v1", "GET", key);
    }
  });

  test("for a revoked key, at once", async () => {
    const { id, key } = await api.services.keys.create(api.workspaceId, "short-lived");
    expect((await api.call("GET", "/contacts", undefined, key)).status).toBe(200);
    await api.services.keys.revoke(api.workspaceId, id);
    expect((await api.call("GET", "/contacts", undefined, key)).status).toBe(401);
  });

  test("but the scheme is taken in any case", async () => {
    for (const scheme of ["bearer", "BEARER", "BeArEr"]) {
      const response = await send("/api/v1/contacts", { headers: { authorization: `${scheme} ${api.key}` } });
      expect(response.status).toBe(200);
    }
  });

  test("comes before the size of the body", async () => {
    const body = "x".repeat(BODY_BYTES_MAX + 1);
    expect((await send("/api/v1/contacts", { method: "POST", body })).status).toBe(401);
  });
});
