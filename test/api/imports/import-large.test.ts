/** A file that is larger than the memory it may take: streamed to the disk, and read from there. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  postrider,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";

/** One cell of a row is this long, so that the file is large and the import short. */
const ROW_BYTES = 8_192;
const ROWS_A_PIECE = 64;
const MB = 1_024 * 1_024;
const SMALL = 32 * MB;
const LARGE = 96 * MB;

/** Less than the file, which would be in memory once or twice; much more than what is collected late. */
const GROWTH_MAX = (LARGE * 3) / 4;

const home = temporaryDirectory();
let server: RunningServer;
let key = "";
beforeAll(async () => {
  server = await startPostrider(home.path);
  key = JSON.parse((await postrider(home.path, ["key", "create", "--json"])).out).key;
});
afterAll(async () => {
  await server.end("SIGTERM");
  home.remove();
});

/** The most memory that the server ever had, in bytes. */
const mostMemory = (): number =>
  1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]);

const call = async (method: string, path: string, init: RequestInit = {}): Promise<any> => {
  const headers = { ...(init.headers as object), authorization: `Bearer ${key}` };
  const answer = await fetch(`${server.url}/api/v1${path}`, { ...init, method, headers });
  expect(answer.status).toBeLessThan(300);
  return ((await answer.json()) as { data: any }).data;
};

/** A row with one cell that nobody imports, as long as it takes. */
function rowOf(name: string, n: number): string {
  const start = `${name}-${n}@large.example,Reader ${n},`;
  return `${start}${"x".repeat(ROW_BYTES - start.length - 1)}\n`;
}

/** A multipart body that is made while it is sent. */
function* bodyOf(rows: number, name: string, boundary: string): Generator<Uint8Array> {
  const text = new TextEncoder();
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  yield text.encode(`${part('name="options"')}{"status":"SUBSCRIBED"}\r\n`);
  yield text.encode(`${part('name="file"; filename="large.csv"')}email,firstName,notes\n`);
  for (let from = 0; from < rows; from += ROWS_A_PIECE)
    yield text.encode(Array.from({ length: ROWS_A_PIECE }, (_, i) => rowOf(name, from + i)).join(""));
  yield text.encode(`\r\n--${boundary}--\r\n`);
}

/** Imports a file of this size, whose people are all new. */
async function imported(name: string, bytes: number): Promise<void> {
  const rows = bytes / ROW_BYTES;
  const boundary = "a-part-of-it";
  const pieces = bodyOf(rows, name, boundary);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const { id } = await call("POST", "/imports", { body: stream, headers });
  let found = await call("GET", `/imports/${id}`);
  while (found.state === "RUNNING") {
    await Bun.sleep(100);
    found = await call("GET", `/imports/${id}`);
  }
  expect(found).toMatchObject({ state: "DONE", rows, created: rows, failed: 0 });
  expect(await call("GET", `/contacts?q=${name}-${rows - 1}@large`)).toMatchObject([
    { email: `${name}-${rows - 1}@large.example`, firstName: `Reader ${rows - 1}` },
  ]);
}

test("a file of 96 MB is imported whole, and takes hardly more memory than a small one: less than its own size by far", async () => {
  await imported("small", SMALL);
  const before = mostMemory();
  await imported("large", LARGE);
  const grown = mostMemory() - before;
  if (process.platform === "linux") expect(grown).toBeLessThan(GROWTH_MAX);
}, 600_000);
