/**
 * Long bodies take turns, so that many at once do not fill the memory (docs/operating.md "Choices you should know").
 * Bodies that say they have 4 MiB and then wait keep their room.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { answerOf, rawClient, type RawClient } from "../../support/server/raw-client.ts";

let api: TestApi;
let clients: RawClient[] = [];
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => {
  for (const client of clients) client.cut();
  clients = [];
});
afterAll(() => api.stop({ graceMs: 0 }));

const BODY_MAX = 4 * 1024 * 1024;
/** Too long to be read without room, and short enough for the buffers of a socket. */
const LONG = 64 * 1024;
const KNOWN_AT_ONCE = 8;
const STRANGERS_AT_ONCE = 4;

async function begin(path: string, bytes: number, key: string | null = api.key): Promise<RawClient> {
  const client = await rawClient(api.url);
  clients.push(client);
  const who = key === null ? "" : `Authorization: Bearer ${key}\r\n`;
  client.send(`POST ${path} HTTP/1.1\r\nHost: x\r\n${who}Content-Length: ${bytes}\r\n\r\n{`);
  return client;
}

const beginMany = async (count: number, path: string, key?: string | null): Promise<RawClient[]> => {
  const begun = [];
  for (let n = 0; n < count; n++) begun.push(await begin(path, BODY_MAX, key));
  // They are under way before the next one.
  await fetch(`${api.url}/health`);
  return begun;
};

/** Sends the rest of a list's JSON that has so many bytes. */
async function finish(client: RawClient, bytes: number): Promise<void> {
  await client.pour(bytes - 1 - '"name":"Long"}'.length);
  client.send('"name":"Long"}');
}

const answered = async (client: RawClient): Promise<number> => {
  await client.until(/\r\n\r\n\{.*\}$/);
  return answerOf(client).status;
};

test("one more than has room waits until another is answered", async () => {
  const [first] = await beginMany(KNOWN_AT_ONCE, "/api/v1/lists");
  const late = await begin("/api/v1/lists", LONG);
  await finish(late, LONG);
  // Short ones are answered meanwhile, and while twenty come and go it would be too.
  for (let n = 0; n < 20; n++)
    expect((await api.call("POST", "/lists", { name: `Short ${n}` })).status).toBe(201);
  expect(late.received).toBe("");
  await finish(first!, BODY_MAX);
  expect(await answered(first!)).toBe(201);
  expect(await answered(late)).toBe(201);
});

test("one that goes away gives its room to the next", async () => {
  const [first] = await beginMany(KNOWN_AT_ONCE, "/api/v1/lists");
  const late = await begin("/api/v1/lists", BODY_MAX);
  first!.cut();
  await finish(late, BODY_MAX);
  expect(await answered(late)).toBe(201);
});

test("one that goes away while it waits takes no room", async () => {
  const [first] = await beginMany(KNOWN_AT_ONCE, "/api/v1/lists");
  (await begin("/api/v1/lists", BODY_MAX)).cut();
  const late = await begin("/api/v1/lists", BODY_MAX);
  first!.cut();
  await finish(late, BODY_MAX);
  expect(await answered(late)).toBe(201);
});

test("a refused one gives its room back", async () => {
  for (let n = 0; n < 2 * KNOWN_AT_ONCE; n++) {
    const refused = await begin("/api/v1/lists", BODY_MAX);
    await refused.pour(BODY_MAX - 1);
    expect(await answered(refused)).toBe(422);
  }
});

test("strangers cannot keep out those who have a key", async () => {
  await beginMany(2 * STRANGERS_AT_ONCE, "/api/v1/session", null);
  const known = await begin("/api/v1/lists", BODY_MAX);
  await finish(known, BODY_MAX);
  expect(await answered(known)).toBe(201);
});
