/**
 * A refused body is received to its end before it is answered: nginx and many clients read the answer only when they
 * have written all of it. Where the server hangs up earlier they tell of a broken connection (nginx: 502).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { answerOf, rawClient } from "../../support/server/raw-client.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

const TEN_MB = 10 * 1024 * 1024;
const FORTY_MB = 40 * 1024 * 1024;

const PICTURE = "Content-Type: multipart/form-data; boundary=x\r\n";
const PICTURE_HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

const head = (method: string, path: string, length = 0, key: string | null = api.key, more = "") =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${key === null ? "" : `Authorization: Bearer ${key}\r\n`}${more}Content-Length: ${length}\r\n\r\n`;

/** Sends all of a request, then reads the answer, then asks for something else on the same connection. */
async function answerBehind(top: string, bytes: number) {
  const client = await rawClient(api.url);
  client.send(top);
  await client.pour(bytes);
  await client.until(/\r\n\r\n\{.*\}$/);
  const { status, body, close } = answerOf(client);
  client.send(head("GET", "/api/v1/keys"));
  await client.until(/"First key"/);
  client.cut();
  return [status, body.error.code, close];
}

test.each([
  ["too large a list", 413, "PAYLOAD_TOO_LARGE", "/api/v1/lists", "", ""],
  ["too large a bulk", 413, "PAYLOAD_TOO_LARGE", "/api/v1/contacts/bulk", "", ""],
  ["a compressed body", 422, "VALIDATION_ERROR", "/api/v1/contacts", "Content-Encoding: gzip\r\n", ""],
  ["too large a picture", 422, "VALIDATION_ERROR", "/api/v1/media", PICTURE, PICTURE_HEAD],
])("who sends %s is told why it is refused (%i)", async (_, status, code, path, more, begin) => {
  const top = head("POST", path, begin.length + FORTY_MB, api.key, more);
  expect(await answerBehind(top + begin, FORTY_MB)).toEqual([status, code, false]);
});

test.each([
  ["without a key", 401, "UNAUTHORIZED", () => head("POST", "/api/v1/contacts/bulk", TEN_MB, null)],
  ["to an unknown route", 404, "NOT_FOUND", () => head("POST", "/api/v1/nothing", TEN_MB)],
  ["with a wrong method", 405, "METHOD_NOT_ALLOWED", () => head("PUT", "/api/v1/lists", TEN_MB)],
])("who sends a body %s, as long as JSON may be, is told why too (%i)", async (_, status, code, top) => {
  expect(await answerBehind(top(), TEN_MB)).toEqual([status, code, false]);
});

test.each([
  ["without a key", 401, "UNAUTHORIZED", null],
  ["too large", 413, "PAYLOAD_TOO_LARGE", undefined],
])("a body whose length is not said is received to its end, too (%s, %i)", async (_, status, code, key) => {
  const top = head("POST", "/api/v1/lists", 0, key).replace(
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
  );
  const client = await rawClient(api.url);
  client.send(`${top}${TEN_MB.toString(16)}\r\n`);
  await client.pour(TEN_MB);
  client.send("\r\n0\r\n\r\n");
  await client.until(/\r\n\r\n\{.*\}$/);
  const answer = answerOf(client);
  expect([answer.status, answer.body.error.code, answer.close]).toEqual([status, code, false]);
  client.send(head("GET", "/api/v1/keys"));
  await client.until(/"First key"/);
  client.cut();
});

test("of long ones eight at once are received, so that strangers cannot fill the memory; others are answered at once", async () => {
  const refused = () => head("POST", "/api/v1/contacts", TEN_MB, null);
  const eight = await Promise.all(Array.from({ length: 8 }, () => rawClient(api.url)));
  for (const client of eight) client.send(`${refused()} `);
  // They are under way before the next one.
  await fetch(`${api.url}/health`);
  const ninth = await rawClient(api.url);
  ninth.send(`${refused()} `);
  await ninth.closed;
  expect(answerOf(ninth)).toMatchObject({ status: 401, close: true });
  expect(eight.map(({ received }) => received)).toEqual(eight.map(() => ""));
  expect(await answerBehind(head("POST", "/api/v1/contacts", 1_000, null), 1_000)).toEqual([
    401,
    "UNAUTHORIZED",
    false,
  ]);
  for (const client of eight) await client.closed;
  expect(await answerBehind(refused(), TEN_MB)).toEqual([401, "UNAUTHORIZED", false]);
});

test("the connection is closed behind a refused GET with a long body, which cannot be read", async () => {
  const client = await rawClient(api.url);
  client.send(head("GET", "/api/v1/nothing", TEN_MB));
  await client.closed;
  expect(answerOf(client)).toMatchObject({ status: 404, close: true });
});

test("a refused GET with a short body leaves the connection open", async () => {
  expect(await answerBehind(head("GET", "/api/v1/nothing", 1_000), 1_000)).toEqual([404, "NOT_FOUND", false]);
});
