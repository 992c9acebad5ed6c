/** The routes of webhooks (docs/contract.md "Webhooks"); what they deliver is in test/sending/webhooks/webhooks.test.ts. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EVENT_TYPES } from "#webhooks/event-type.ts";
import { callApi, startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const URL_OK = "https://shop.example.org/hook";
const make = (body: object = {}) => api.call("POST", "/webhooks", { url: URL_OK, events: ["*"], ...body });
const made = async (body: object = {}) => (await make(body)).body.data;

describe("POST /webhooks", () => {
  test("answers 201 with exactly the documented fields and the secret, this once", async () => {
    const { status, body } = await make({ events: ["contact.created", "email.sent", "contact.created"] });
    const { secret, ...webhook } = body.data;
    expect(status).toBe(201);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_/),
      url: URL_OK,
      events: ["contact.created", "email.sent"],
      enabled: true,
      createdAt: expect.any(String),
      disabledReason: null,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect((await api.call("GET", `/webhooks/${webhook.id}`)).body).toEqual({ data: webhook });
    const page = (await api.call("GET", "/webhooks")).body;
    expect([page.data, page.pagination.total]).toEqual([[webhook], 1]);
    expect(JSON.stringify([page, api.logLines])).not.toContain(secret.slice(6));
  });

  test("makes one that nothing goes to where `enabled` is false, and one that is enabled where it says nothing", async () => {
    for (const [enabled, shown] of [
      [false, false],
      [true, true],
      [null, true],
    ]) {
      const { status, body } = await make({ enabled });
      expect([enabled, status, body.data.enabled, body.data.disabledReason]).toEqual([
        enabled,
        201,
        shown,
        null,
      ]);
      const tried = await api.call("POST", `/webhooks/${body.data.id}/test`);
      expect([enabled, tried.status]).toEqual([enabled, shown === true ? 202 : 422]);
    }
  });

  test("takes every event of the contract", async () => {
    for (const event of [...EVENT_TYPES, "*"])
      expect([event, (await make({ events: [event] })).status]).toEqual([event, 201]);
  });

  test.each([
    ["no url", { url: undefined }, "`url` is required"],
    ["an empty url", { url: " " }, "`url` is required"],
    ["a url that is no text", { url: 5 }, "`url` is required"],
    ["another scheme", { url: "ftp://example.org/" }, "must be like https://"],
    ["a password", { url: "https://ada:secret@example.org/" }, "must not hold a user name or a password"],
    ["loopback", { url: "http://127.0.0.1:8080/" }, "not a public address"],
    ["enabled as a word", { enabled: "no" }, "`enabled` must be true or false"],
    ["enabled as a number", { enabled: 0 }, "`enabled` must be true or false"],
    ["cloud metadata", { url: "http://169.254.169.254/latest" }, "not a public address"],
    ["no events", { events: undefined }, "`events` is required"],
    ["events that are no list", { events: "contact.created" }, "`events` is required"],
    ["an empty list", { events: [] }, "`events` is required"],
    ["an unknown event", { events: ["contact.created", "contact.born"] }, '"contact.born" is no event'],
    ["an event that is no text", { events: [{}] }, "is no event"],
  ])("refuses %s, and nothing is written", async (_, body, message) => {
    const answer = await make(body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(message);
    expect((await api.call("GET", "/webhooks")).body.pagination.total).toBe(0);
  });

  test("a private address only where the operator allows it", async () => {
    await api.services.workspaces.changeSettings(api.workspaceId, { allowPrivateWebhooks: true });
    expect((await make({ url: "http://127.0.0.1:1/" })).status).toBe(201);
  });

  test("at most 50 a workspace", async () => {
    for (let i = 0; i < 50; i++) await made();
    const answer = await make();
    expect([answer.status, answer.body.error.message]).toEqual([
      422,
      "A workspace has at most 50 webhooks: delete one first.",
    ]);
    const pages = [];
    for (let after = ""; after !== null;) {
      const page = (await api.call("GET", `/webhooks?limit=20&after=${after}`)).body;
      pages.push(page.data.length);
      after = page.pagination.nextCursor;
    }
    expect(pages).toEqual([20, 20, 10]);
  });
});

describe("PATCH /webhooks/{id}", () => {
  test("changes what is sent, and nothing else", async () => {
    const { secret: _, ...webhook } = await made();
    const path = `/webhooks/${webhook.id}`;
    const table: [object, object][] = [
      [{}, {}],
      [{ url: null, events: null, enabled: null }, {}],
      [{ url: "https://other.example.org/x#y" }, { url: "https://other.example.org/x" }],
      [{ events: ["form.submitted"] }, { events: ["form.submitted"] }],
      [{ enabled: false }, { enabled: false }],
      [{ enabled: true }, { enabled: true }],
    ];
    let expected = webhook;
    for (const [body, change] of table) {
      expected = { ...expected, ...change };
      const answer = await api.call("PATCH", path, body);
      expect([body, answer.status, answer.body.data]).toEqual([body, 200, expected]);
    }
    for (const body of [{ url: "" }, { url: "http://localhost/" }, { events: [] }, { enabled: "yes" }]) {
      expect([body, (await api.call("PATCH", path, body)).status]).toEqual([body, 422]);
      expect((await api.call("GET", path)).body.data).toEqual(expected);
    }
  });
});

describe("what is not there", () => {
  test("is 404 on every route, before the body is looked at", async () => {
    const { id } = await made();
    const other = await api.services.workspaces.create("Other");
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { enabled: "nonsense" }],
      ["DELETE", "", undefined],
      ["POST", "/test", undefined],
      ["POST", "/rotate", undefined],
      ["GET", "/deliveries?state=nonsense", undefined],
      ["POST", "/deliveries/msg_x/replay", undefined],
    ] as const) {
      expect([path, (await api.call(method, `/webhooks/wh_nobody${path}`, body)).status]).toEqual([
        path,
        404,
      ]);
      const foreign = await callApi(`${api.url}/api/v1/webhooks/${id}${path}`, method, other.key, body);
      expect([path, foreign.status]).toEqual([path, 404]);
    }
    expect((await api.call("GET", `/webhooks/${id}`)).status).toBe(200);
  });

  test("a delivery that is unknown, forged or of another webhook is not replayed", async () => {
    const [first, second] = [await made(), await made()];
    const { data } = (await api.call("POST", `/webhooks/${first.id}/test`)).body;
    const forged = `${data.id.slice(0, -1)}${data.id.endsWith("0") ? "1" : "0"}`;
    for (const [webhook, delivery] of [
      [first.id, "msg_nobody"],
      [first.id, forged],
      [second.id, data.id],
    ])
      expect((await api.call("POST", `/webhooks/${webhook}/deliveries/${delivery}/replay`)).status).toBe(404);
  });
});

describe("GET /webhooks/{id}/deliveries", () => {
  test("is a page, newest first, with the filter state; another state is 422", async () => {
    const { id } = await made();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await api.call("POST", `/webhooks/${id}/test`)).body.data.id);
    const path = `/webhooks/${id}/deliveries`;
    const first = (await api.call("GET", `${path}?limit=2`)).body;
    const rest = (await api.call("GET", `${path}?after=${first.pagination.nextCursor}`)).body;
    expect([...first.data, ...rest.data].map((delivery: any) => delivery.id)).toEqual(ids);
    expect([first.pagination.total, first.pagination.hasMore, rest.pagination.hasMore]).toEqual([
      5,
      true,
      false,
    ]);
    const totals = [];
    for (const state of ["", "PENDING", "DELIVERED", "FAILED"])
      totals.push((await api.call("GET", `${path}?state=${state}`)).body.pagination.total);
    expect(totals).toEqual([5, 5, 0, 0]);
    for (const state of ["pending", "SENT", "x"])
      expect((await api.call("GET", `${path}?state=${state}`)).body.error.code).toBe("VALIDATION_ERROR");
  });
});

test("a read key reads, a send key does nothing here", async () => {
  const { id } = await made();
  for (const [scope, method, path, status] of [
    ["read", "GET", "/webhooks", 200],
    ["read", "GET", `/webhooks/${id}/deliveries`, 200],
    ["read", "POST", `/webhooks/${id}/test`, 403],
    ["read", "POST", `/webhooks/${id}/rotate`, 403],
    ["send", "GET", "/webhooks", 403],
    ["send", "POST", "/webhooks", 403],
  ] as const) {
    const { key } = (await api.call("POST", "/keys", { scope })).body.data;
    expect([scope, path, (await api.call(method, path, undefined, key)).status]).toEqual([
      scope,
      path,
      status,
    ]);
  }
});
