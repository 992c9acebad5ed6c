/** Signing in, and what a session is (docs/contract.md "People and the console"). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/time/time.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { asked, cookieOf, PASSWORD, personWith, signedIn, signIn } from "../../support/server/signed-in.ts";
import { rowsFrom } from "../../support/server/services.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const ada = { email: "ada@example.com", password: PASSWORD };

describe("POST /session", () => {
  beforeAll(() => api.services.users.add(api.workspaceId, ada.email, "owner", ada.password));

  test("answers who it is and where they may go, and a cookie that no script and no other site reads", async () => {
    const answer = await asked(api, "POST", "/session", { ...ada, email: " ADA@example.com" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        user: { id: expect.stringMatching(/^usr_/), email: "ada@example.com", totp: false },
        workspaces: [{ id: api.workspaceId, name: "Default", role: "owner" }],
      },
    });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^postrider_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test("keeps the cookie for 30 days only with `stay`", async () => {
    const { headers } = await asked(api, "POST", "/session", { ...ada, stay: true });
    expect(headers.get("set-cookie")).toEndWith("; Secure; Max-Age=2592000");
  });

  test("a page under http gets a cookie that its browser keeps, whatever BASE_URL is (Safari keeps no Secure one)", async () => {
    const { host } = new URL(api.url);
    const over = async (origin: string): Promise<string[]> => {
      const entered = await asked(api, "POST", "/session", ada, { origin });
      const left = await asked(api, "DELETE", "/session", undefined, { origin, cookie: cookieOf(entered) });
      return [entered, left].map(({ headers }) => headers.get("set-cookie")!);
    };
    for (const cookie of await over(`http://${host}`)) expect(cookie).not.toContain("Secure");
    for (const cookie of await over(`https://${host}`)) expect(cookie).toContain("; Secure");
  });

  test("keeps no part of the cookie or of the password in the database", async () => {
    const { cookie } = await signIn(api, ada.email, ada.password);
    const tables = ["users", "sessions", "audit", "welcome_links"];
    const kept = tables.map((table) => JSON.stringify(rowsFrom(api, `SELECT * FROM ${table}`))).join();
    expect(kept).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(kept).not.toContain(cookie.split("=")[1]!);
    expect(kept).not.toContain(ada.password);
  });

  test("answers a wrong password and an address that nobody has alike", async () => {
    const wrong = await asked(api, "POST", "/session", { ...ada, password: "not the password" });
    const unknown = await asked(api, "POST", "/session", { ...ada, email: "nobody@example.com" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual(unknown.body);
    expect(wrong.body.error.code).toBe("UNAUTHORIZED");
    expect([wrong, unknown].map(({ headers }) => headers.get("set-cookie"))).toEqual([null, null]);
  });

  test("ends the session that the browser had", async () => {
    const first = await signIn(api, ada.email, ada.password);
    const again = await asked(api, "POST", "/session", ada, { cookie: first.cookie });
    expect(again.status).toBe(200);
    expect((await first.call("GET", "/contacts")).status).toBe(401);
  });

  test("refuses a page of another site, and one without an origin of its own", async () => {
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost.evil.example",
      "file://localhost",
      "",
    ])
      expect((await asked(api, "POST", "/session", ada, { origin })).status).toBe(403);
    for (const origin of ["http://localhost", api.url])
      expect((await asked(api, "POST", "/session", ada, { origin })).status).toBe(200);
  });

  test("takes the console behind a proxy that sends the usual port, and says what to do where one sends another host", async () => {
    const from = (origin: string, host: string) => asked(api, "POST", "/session", ada, { origin, host });
    expect((await from("https://news.example.org", "news.example.org:443")).status).toBe(200);
    expect((await from("http://news.example.org", "news.example.org:443")).status).toBe(403);
    const answer = await from("https://news.example.org", "127.0.0.1:8080");
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      expect.stringContaining("BASE_URL=https://news.example.org"),
    ]);
  });

  test("names the field that is missing or no text", async () => {
    for (const [body, field] of [
      [{}, "email"],
      [{ email: "ada@example.com" }, "password"],
      [{ ...ada, password: 5 }, "password"],
      [{ ...ada, code: 492039 }, "code"],
      [{ ...ada, stay: "yes" }, "stay"],
      [{ ...ada, username: "ada" }, "username"],
    ] as const) {
      const answer = await asked(api, "POST", "/session", body);
      expect([answer.status, answer.body.error.message]).toEqual([
        422,
        expect.stringContaining(`\`${field}\``),
      ]);
    }
  });
});

describe("a session", () => {
  test("names its workspace in X-Workspace; without it the cookie is not looked at", async () => {
    const owner = await signedIn(api);
    expect((await owner.call("GET", "/contacts")).status).toBe(200);
    const without = await asked(api, "GET", "/contacts", undefined, { cookie: owner.cookie });
    expect([without.status, without.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("finds nothing in a workspace that is not the person's, like in none at all", async () => {
    const owner = await signedIn(api);
    const other = await api.services.workspaces.create("Other");
    for (const workspace of [other.id, "ws_nothing", ""]) {
      const answer = await owner.call("GET", "/contacts", undefined, { "x-workspace": workspace });
      expect([workspace, answer.status, answer.body.error.code]).toEqual([workspace, 404, "NOT_FOUND"]);
    }
  });

  test("is not asked where a key stands beside it, good or bad", async () => {
    const viewer = await signedIn(api, "viewer");
    const asKey = (key: string) =>
      viewer.call("POST", "/lists", { name: "By key" }, { authorization: `Bearer ${key}` });
    expect((await asKey(api.key)).status).toBe(201);
    expect((await asKey(`pr_${"x".repeat(43)}`)).status).toBe(401);
    expect((await viewer.call("POST", "/lists", { name: "By role" })).status).toBe(403);
  });

  test("changes nothing for a page of another site", async () => {
    const owner = await signedIn(api);
    const origin = "https://evil.example";
    for (const [method, path, body] of [
      ["POST", "/lists", { name: "Theirs" }],
      ["POST", "/password", { current: PASSWORD, password: "something else here" }],
      ["DELETE", "/session", undefined],
    ] as const)
      expect([path, (await owner.call(method, path, body, { origin })).status]).toEqual([path, 403]);
    expect((await owner.call("GET", "/lists?q=Theirs")).body.pagination.total).toBe(0);
    expect((await owner.call("GET", "/session")).status).toBe(200);
  });

  test("leaves nothing of what it was answered in the browser's files, where the next person would find it", async () => {
    const owner = await signedIn(api);
    await owner.call("POST", "/contacts", { email: "kept.nowhere@example.com" });
    for (const path of ["/contacts", "/users", "/session", "/sessions", "/exports/contacts", "/audit"]) {
      const { status, headers } = await owner.call("GET", path);
      expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
    }
  });

  test("is of no use to pages of other sites, also of those that may call the API", async () => {
    const open = await startApi({ clock, corsOrigins: ["https://app.example.com"] });
    const preflight = await fetch(`${open.url}/api/v1/contacts`, {
      method: "OPTIONS",
      headers: { origin: "https://app.example.com", "access-control-request-method": "GET" },
    });
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).not.toContain("x-workspace");
    await open.stop();
  });

  test("ends after 12 hours without a request, and after 30 days in any case", async () => {
    const idle = await signedIn(api);
    const stay = await asked(api, "POST", "/session", { ...idle, stay: true });
    const staying = personWith(api, { ...idle, cookie: cookieOf(stay) });
    const status = async (person: typeof idle) => (await person.call("GET", "/session")).status;
    clock.advance(12 * HOUR_MS - 1);
    expect([await status(idle), await status(staying)]).toEqual([200, 200]);
    clock.advance(12 * HOUR_MS);
    expect([await status(idle), await status(staying)]).toEqual([401, 200]);
    clock.advance(29 * DAY_MS - 1);
    expect(await status(staying)).toBe(200);
    clock.advance(DAY_MS);
    expect(await status(staying)).toBe(401);
  });

  test("that was used while the clock was ahead ends after 12 hours without a request too", async () => {
    clock.advance(365 * DAY_MS);
    const owner = await signedIn(api);
    clock.advance(-365 * DAY_MS);
    const status = async () => (await owner.call("GET", "/session")).status;
    expect(await status()).toBe(200);
    clock.advance(12 * HOUR_MS);
    expect(await status()).toBe(401);
  });

  test("shows when it was used last, to the minute, also to the workspace", async () => {
    const owner = await signedIn(api);
    clock.advance(MINUTE_MS);
    await owner.call("GET", "/contacts");
    const at = new Date(clock.now()).toISOString();
    const seen = async () => [
      (await owner.call("GET", "/sessions")).body.data[0].lastSeenAt,
      (await owner.call("GET", "/users")).body.data[0].lastSeenAt,
    ];
    while ((await seen()).some((time) => time !== at));
    clock.advance(MINUTE_MS - 1);
    await owner.call("GET", "/contacts");
    expect(await seen()).toEqual([at, at]);
  });
});

describe("/sessions", () => {
  test("lists the person's own, newest first, and ends any of them at once", async () => {
    const first = await signedIn(api);
    const other = await signedIn(api);
    const second = await signIn(api, first.email, first.password);
    const listed = (await second.call("GET", "/sessions")).body;
    expect(listed).toEqual({
      data: [
        {
          id: expect.any(String),
          createdAt: expect.any(String),
          lastSeenAt: expect.any(String),
          current: true,
        },
        {
          id: expect.any(String),
          createdAt: expect.any(String),
          lastSeenAt: expect.any(String),
          current: false,
        },
      ],
    });
    const ofFirst = listed.data[1].id;
    expect((await other.call("DELETE", `/sessions/${ofFirst}`)).status).toBe(404);
    expect((await first.call("GET", "/contacts")).status).toBe(200);
    expect((await second.call("DELETE", `/sessions/${ofFirst}`)).status).toBe(204);
    expect((await first.call("GET", "/contacts")).status).toBe(401);
    const again = await second.call("DELETE", `/sessions/${ofFirst}`);
    expect([again.status, again.body.error.message]).toEqual([404, `You have no session ${ofFirst}.`]);
    expect((await second.call("GET", "/contacts")).status).toBe(200);
  });

  test("DELETE /session signs out, and makes the browser forget the cookie", async () => {
    const owner = await signedIn(api);
    const answer = await owner.call("DELETE", "/session");
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([
      204,
      "postrider_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
    ]);
    expect((await owner.call("GET", "/session")).status).toBe(401);
    expect((await owner.call("DELETE", "/session")).status).toBe(401);
  });

  test("an API key has no account", async () => {
    for (const [method, path] of [
      ["GET", "/session"],
      ["DELETE", "/session"],
      ["GET", "/sessions"],
      ["POST", "/password"],
    ] as const)
      expect([path, (await api.call(method, path)).status]).toEqual([path, 403]);
  });
});
