/**
 * Bodies that are too long, too slow, cut off or not wanted. None holds a connection, and every answer is an
 * envelope.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { answerOf, rawClient } from "../../support/server/raw-client.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop({ graceMs: 0 }));

const HUNDRED_MB = 100 * 1024 * 1024;
const TEN_MB = 10 * 1024 * 1024;

type Head = { readonly key?: string | null; readonly length?: number | "chunked"; readonly host?: string };

function head(method: string, path: string, { key = api.key, length = 0, host = "Host: x\r\n" }: Head = {}) {
  const authorization = key === null ? "" : `Authorization: Bearer ${key}\r\n`;
  const framing = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  return `${method} ${path} HTTP/1.1\r\n${host}${authorization}${framing}\r\n\r\n`;
}

/** Every answer has been given, and what was counted has been told. */
afterEach(() => clock.advance(60_000));

const errorLines = () => api.logLines.filter((line) => line.includes('"level":"error"'));

/** Until the server waits for more of a body: then it has set a timer. */
async function waited(ms = 24_000): Promise<void> {
  while (!clock.waitsFor(ms)) await nextLoopTurn();
}

describe("a body that nobody reads", () => {
  test.each([
    ["no key", 401, "UNAUTHORIZED", () => head("POST", "/api/v1/lists", { key: null, length: HUNDRED_MB })],
    ["an unknown route", 404, "NOT_FOUND", () => head("POST", "/api/v1/nothing", { length: HUNDRED_MB })],
    ["nothing of ours", 404, "NOT_FOUND", () => head("POST", "/upload", { key: null, length: HUNDRED_MB })],
    ["a wrong method", 405, "METHOD_NOT_ALLOWED", () => head("PUT", "/api/v1/lists", { length: HUNDRED_MB })],
    [
      "a length of 100 MB",
      413,
      "PAYLOAD_TOO_LARGE",
      () => head("POST", "/api/v1/lists", { length: HUNDRED_MB }),
    ],
    [
      "a length beyond every limit of the runtime",
      413,
      "PAYLOAD_TOO_LARGE",
      () => head("POST", "/api/v1/send", { length: 9_000_000_000_000 }),
    ],
    [
      "no length, and no key",
      401,
      "UNAUTHORIZED",
      () => `${head("POST", "/api/v1/lists", { key: null, length: "chunked" })}6400000\r\n`,
    ],
    [
      "no length, and no end",
      413,
      "PAYLOAD_TOO_LARGE",
      () => `${head("POST", "/api/v1/lists", { length: "chunked" })}6400000\r\n`,
    ],
  ])("(%s) gets its envelope (%i) and a closed connection", async (_, status, code, request) => {
    const client = await rawClient(api.url);
    client.send(request());
    await client.pour(HUNDRED_MB);
    await client.closed;
    const answer = answerOf(client);
    expect([answer.status, answer.body.error.code, answer.close]).toEqual([status, code, true]);
    expect(answer.id).toMatch(/^[0-9a-f]{24}$/);
    // At most 16 MiB are read, and some wait in the system's own buffers.
    expect(client.sentBytes).toBeLessThan(HUNDRED_MB / 4);
  });

  test("is passed over where it is short and the request succeeds: the connection goes on", async () => {
    const client = await rawClient(api.url);
    client.send(`${head("GET", "/api/v1/lists", { length: 2 })}{}`);
    await client.until(/"pagination"/);
    client.send(head("GET", "/api/v1/keys"));
    await client.until(/"First key"/);
    expect(client.isClosed).toBe(false);
    client.cut();
  });

  test("is no reason to hang up where it was read: a 422 keeps the connection", async () => {
    const client = await rawClient(api.url);
    client.send(`${head("POST", "/api/v1/lists", { length: 2 })}{}`);
    await client.until(/VALIDATION_ERROR/);
    client.send(head("GET", "/api/v1/keys"));
    await client.until(/"First key"/);
    client.cut();
  });
});

describe("an upload that the client cuts off", () => {
  test.each([
    ["short", 100],
    ["long", 3_000_000],
    ["of unknown length", "chunked"],
  ] as const)("(%s) is no failure of ours: no 5xx, no error line, and nothing is done", async (_, length) => {
    const before = api.logLines.length;
    const client = await rawClient(api.url);
    client.send(
      `${head("POST", "/api/v1/lists", { length })}${length === "chunked" ? "ff\r\n" : ""}{"name":`,
    );
    await waited();
    client.cut();
    while (!api.logLines.slice(before).some((line) => line.includes('"status":499'))) await nextLoopTurn();
    expect(errorLines()).toEqual([]);
    expect((await api.call("GET", "/lists")).body.data).toEqual([]);
  });
});

describe("an upload that stands still", () => {
  test.each([
    ["short", "/api/v1/lists", 100, ""],
    ["long", "/api/v1/lists", 3_000_000, ""],
    ["of unknown length", "/api/v1/lists", "chunked", "ff\r\n"],
  ] as const)("(%s) is 408 after 24 seconds", async (_, path, length, chunk) => {
    const client = await rawClient(api.url);
    client.send(`${head("POST", path, { length })}${chunk}{"name":`);
    await waited();
    clock.advance(23_999);
    await api.call("GET", "/keys");
    expect(client.received).toBe("");
    clock.advance(1);
    await client.closed;
    const answer = answerOf(client);
    expect([answer.status, answer.body.error.code, answer.close]).toEqual([408, "REQUEST_TIMEOUT", true]);
    expect(errorLines()).toEqual([]);
  });

  test("and was refused already is told why after two seconds, and the connection is closed", async () => {
    const client = await rawClient(api.url);
    client.send(`${head("POST", "/api/v1/lists", { length: TEN_MB })}{"name":`);
    await waited(2_000);
    clock.advance(2_000);
    await client.closed;
    const answer = answerOf(client);
    expect([answer.status, answer.body.error.code, answer.close]).toEqual([413, "PAYLOAD_TOO_LARGE", true]);
  });

  test("but goes on, now and then, has 120 seconds in all", async () => {
    const client = await rawClient(api.url);
    client.send(`${head("POST", "/api/v1/lists", { length: 3_000_000 })}{`);
    for (let seconds = 0; seconds < 120; seconds += 20) {
      // The piece has to be there before time goes on.
      await waited(Math.min(24, 120 - seconds) * 1_000);
      expect(client.isClosed).toBe(false);
      clock.advance(20_000);
      client.send(" ");
    }
    await client.closed;
    expect(answerOf(client).status).toBe(408);
  });

  test("on a form is told in the form's own words", async () => {
    const form = (await api.call("POST", "/forms", { name: "Stay in touch" })).body.data;
    const client = await rawClient(api.url);
    client.send(`${head("POST", `/api/forms/${form.id}/submit`, { key: null, length: 100 })}{`);
    await waited();
    clock.advance(24_000);
    await client.closed;
    expect([answerOf(client).status, answerOf(client).body]).toEqual([
      408,
      { error: "That took too long. Please try again." },
    ]);
  });
});

describe("a request whose Host cannot be trusted", () => {
  test.each([
    ["two Host lines", "Host: mail.example.org\r\nHost: evil.example\r\n"],
    ["the same twice", "Host: x\r\nHost: x\r\n"],
    ["two in one line", "Host: mail.example.org, evil.example\r\n"],
    ["a path in it", "Host: evil.example/path\r\n"],
    ["a user in it", "Host: admin@evil.example\r\n"],
    ["a space in it", "Host: a b\r\n"],
  ])("(%s) is 400, with or without a key, on every path", async (_, host) => {
    for (const [path, key] of [
      ["/api/v1/lists", api.key],
      ["/api/v1/lists", null],
      ["/health", null],
      ["/nothing", null],
    ] as const) {
      const client = await rawClient(api.url);
      client.send(head("GET", path, { key, host }));
      await client.until(/\r\n\r\n\{.*\}$/);
      const { status, body, id } = answerOf(client);
      expect([path, status, body.error.code]).toEqual([path, 400, "BAD_REQUEST"]);
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      client.cut();
    }
  });

  test.each([
    "localhost:8080",
    "[::1]:8080",
    "mail.example.org.",
    "127.0.0.1",
    "xn--bcher-kva.example",
    "a_b.internal",
  ])("%s is one", async (host) => {
    const client = await rawClient(api.url);
    client.send(head("GET", "/health", { key: null, host: `Host: ${host}\r\n` }));
    await client.until(/\}$/);
    expect(answerOf(client).status).toBe(200);
    client.cut();
  });
});

test("refusals have no line of their own at info: they are counted by status, once a minute", async () => {
  const before = api.logLines.length;
  for (const [path, key] of [
    ["/nothing", api.key],
    ["/nothing", api.key],
    ["/lists", "pr_wrong"],
    ["/contacts?status=x", api.key],
  ] as const)
    await api.call("GET", path, undefined, key);
  const atInfo = () =>
    api.logLines
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level !== "debug");
  expect(atInfo()).toEqual([]);
  clock.advance(60_000);
  const [line, ...others] = atInfo();
  expect([line.message, line[401], line[404], line[422], others]).toEqual([
    "requests refused in the last minute",
    1,
    2,
    1,
    [],
  ]);
  await api.call("GET", "/lists");
  clock.advance(600_000);
  expect(atInfo()).toHaveLength(1);
});
