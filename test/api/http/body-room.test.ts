/**
 * Long bodies share room in memory, so that many at once do not fill it (docs/operating.md "Choices you should know").
 * Whoever sends one slowly, or keeps the room of a workspace full, holds up nobody else.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
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
const END = '"name":"Long"}';
/** As many as fill the room of a workspace. */
const FULL = 8;

/** @param bytes null: it does not say how many */
async function begin(path: string, bytes: number | null, key: string | null = api.key): Promise<RawClient> {
  const client = await rawClient(api.url);
  clients.push(client);
  const who = key === null ? "" : `Authorization: Bearer ${key}\r\n`;
  const [length, start] =
    bytes === null ? ["Transfer-Encoding: chunked", "1\r\n{\r\n"] : [`Content-Length: ${bytes}`, "{"];
  client.send(`POST ${path} HTTP/1.1\r\nHost: x\r\n${who}${length}\r\n\r\n${start}`);
  return client;
}

/** Sends all but the end of a body of `BODY_MAX`. */
async function almost(path: string, key?: string | null): Promise<RawClient> {
  const client = await begin(path, BODY_MAX, key);
  await client.pour(BODY_MAX - 1 - END.length);
  return client;
}

const answered = async (client: RawClient): Promise<number> => {
  await client.until(/\r\n\r\n\{.*\}$/);
  return answerOf(client).status;
};

const isTaken = async (key?: string): Promise<void> => {
  const client = await almost("/api/v1/lists", key);
  client.send(END);
  expect(await answered(client)).toBe(201);
};

test("who has begun and sends nothing holds up nobody, however much they announced", async () => {
  for (let n = 0; n < FULL; n++) {
    await begin("/api/v1/events/bulk", null);
    await begin("/api/v1/lists", BODY_MAX);
    await begin("/api/v1/session", BODY_MAX, null);
  }
  await isTaken();
});

test("who keeps the room of a workspace full holds up no other", async () => {
  const other = await inNewWorkspace(api);
  // One may have more than the room.
  for (let n = 0; n <= FULL; n++) await almost("/api/v1/lists", other.key);
  await isTaken();
});

test("strangers cannot keep out those who have a key", async () => {
  for (let n = 0; n <= FULL / 2; n++) await almost("/api/v1/session", null);
  await isTaken();
});

test("a short body waits for no room, also one that does not say its length", async () => {
  const long: RawClient[] = [];
  for (let n = 0; n <= FULL; n++) long.push(await almost("/api/v1/lists"));
  const body = '{"name":"Short"}';
  const short = await begin("/api/v1/lists", null);
  short.send(`${(body.length - 1).toString(16)}\r\n${body.slice(1)}\r\n0\r\n\r\n`);
  expect(await answered(short)).toBe(201);
  // None of them has left room meanwhile, because it was given up.
  for (const { received } of long) expect(received).toBe("");
});

test("all of many at once are answered, though not all of them have room", async () => {
  await Promise.all(Array.from({ length: 3 * FULL }, () => isTaken()));
});

test("one that goes away, or is refused, gives its room back", async () => {
  for (let n = 0; n < 2 * FULL; n++) {
    const refused = await begin("/api/v1/lists", BODY_MAX);
    await refused.pour(BODY_MAX - 1);
    expect(await answered(refused)).toBe(422);
    (await almost("/api/v1/lists")).cut();
  }
  await isTaken();
});
