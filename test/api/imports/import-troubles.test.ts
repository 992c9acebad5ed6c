/** Imports that are slow, lose their file, or are many at once. Time moves only when a test says so. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nextLoopTurn, yieldTurns } from "#core/time/event-loop.ts";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { ended, upload } from "../../support/people/imports.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { rawClient } from "../../support/server/raw-client.ts";
import { needsSqlite } from "../../support/server/services.ts";

let clock: ManualClock;
let api: TestApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startApi({ clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const filesOf = ({ dataDir }: TestApi): string[] => readdirSync(join(dataDir, "imports"));
const importOf = async (where: TestApi, id: string) => (await where.call("GET", `/imports/${id}`)).body.data;
const people = async (where: TestApi): Promise<number> =>
  (await where.call("GET", "/contacts?limit=1")).body.pagination.total;
const begun = async (where: TestApi, rows: number): Promise<string> => {
  const file = ["email", ...Array.from({ length: rows }, (_, i) => `p${i}@example.com`)].join("\n");
  const started = await upload(where, "/imports", file, { status: "PENDING" });
  expect(started.status).toBe(202);
  return started.body.data.id;
};
async function underWay(where: TestApi, id: string): Promise<number> {
  for (;;) {
    const { rows } = await importOf(where, id);
    if (rows > 0) return rows;
  }
}

const BEGINNING = [
  "--x",
  'content-disposition: form-data; name="file"; filename="people.csv"',
  "",
  "email\r\nada@example.com\r\n",
].join("\r\n");

/** The server has the beginning of a file on its disk, and waits for more. */
async function standingStill() {
  const client = await rawClient(api.url);
  const head = [
    "POST /api/v1/imports HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${api.key}`,
    "Content-Type: multipart/form-data; boundary=x",
    "Transfer-Encoding: chunked",
  ];
  const chunk = `${BEGINNING.length.toString(16)}\r\n${BEGINNING}\r\n`;
  client.send(`${head.join("\r\n")}\r\n\r\n${chunk}`);
  const directory = join(api.dataDir, "imports");
  while (!existsSync(directory) || filesOf(api).every((name) => statSync(join(directory, name)).size === 0))
    await nextLoopTurn();
  // It sets its timer in the turn behind the one in which it begins to wait.
  await yieldTurns(20);
  return client;
}

describe("an upload", () => {
  test("that stands still is 408 after 24 seconds, and nothing of it stays", async () => {
    const client = await standingStill();
    clock.advance(23_999);
    await api.call("GET", "/keys");
    expect([client.received, filesOf(api)]).toEqual(["", [expect.stringMatching(/\.part$/)]]);
    clock.advance(1);
    await client.closed;
    expect(client.received).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*REQUEST_TIMEOUT[\s\S]* all of it has 360 minutes/,
    );
    expect(filesOf(api)).toEqual([]);
    expect([(await api.call("GET", "/imports")).body.pagination.total, await people(api)]).toEqual([0, 0]);
  });

  test("that is cut off leaves nothing, and is no failure of ours", async () => {
    const client = await standingStill();
    expect(filesOf(api)).toHaveLength(1);
    client.cut();
    while (filesOf(api).length > 0) await nextLoopTurn();
    expect([(await api.call("GET", "/imports")).body.pagination.total, await people(api)]).toEqual([0, 0]);
    expect(api.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe.skipIf(needsSqlite("with PostgreSQL the files wait in the database"))(
  "a file that is deleted or cannot be read while its import runs",
  () => {
    const ROWS = 20_000;
    const remove = (id: string): void => rmSync(join(api.dataDir, "imports", `${id}.csv`));

    test("is read to its end: it is open", async () => {
      const id = await begun(api, ROWS);
      await underWay(api, id);
      remove(id);
      expect(await ended(api, id)).toMatchObject({ state: "DONE", rows: ROWS, created: ROWS, error: null });
    });

    test("is missed at the next start: FAILED, it says why, what was kept stays, and the next one is imported", async () => {
      const id = await begun(api, ROWS);
      const next = await begun(api, 10);
      await underWay(api, id);
      await api.stop({ graceMs: 0, keep: true });
      remove(id);
      api = await startApi({ clock, home: api });
      const failed = await ended(api, id);
      expect(failed).toMatchObject({ state: "FAILED", error: expect.stringContaining("file is gone") });
      expect(failed.rows).toBeGreaterThan(0);
      expect(failed.rows).toBeLessThan(ROWS);
      expect(await people(api)).toBe(failed.created);
      expect(await ended(api, next)).toMatchObject({ state: "DONE", rows: 10, updated: 10 });
    });

    test("is read later: RUNNING meanwhile, nothing is lost, and nobody else waits", async () => {
      const id = await begun(api, ROWS);
      await underWay(api, id);
      await api.stop({ graceMs: 0, keep: true });
      const [path, aside] = [join(api.dataDir, "imports", `${id}.csv`), join(api.dataDir, "aside.csv")];
      renameSync(path, aside);
      // Where no more files can be opened, or the disk fails, it is the same.
      symlinkSync(path, path);
      api = await startApi({ clock, home: api });
      const other = await inNewWorkspace(api);
      expect(await ended(other, await begun(other, 10))).toMatchObject({ state: "DONE", rows: 10 });
      expect((await importOf(api, id)).state).toBe("RUNNING");
      rmSync(path);
      renameSync(aside, path);
      clock.advance(10_000);
      expect(await ended(api, id)).toMatchObject({ state: "DONE", rows: ROWS });
      expect(api.logLines.filter((line) => line.includes("file cannot be read"))).toHaveLength(1);
    });

    test("has a directory of somebody else's beside it: every import runs", async () => {
      await api.stop({ graceMs: 0, keep: true });
      mkdirSync(join(api.dataDir, "imports", ".snapshot"), { recursive: true });
      api = await startApi({ clock, home: api });
      expect(await ended(api, await begun(api, 10))).toMatchObject({ state: "DONE", rows: 10 });
    });
  },
);

test("a small import of one workspace does not wait until the large ones of four others are over", async () => {
  const large = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const where = await inNewWorkspace(api);
      return { where, id: await begun(where, 20_000) };
    }),
  );
  for (const { where, id } of large) await underWay(where, id);
  const small = await inNewWorkspace(api);
  const id = await begun(small, 1);
  // Nobody gives way before the turn of one is over.
  await yieldTurns(20);
  expect((await importOf(small, id)).rows).toBe(0);
  clock.advance(5_000);
  expect(await ended(small, id)).toMatchObject({ state: "DONE", created: 1 });
  const states = await Promise.all(large.map(async (one) => (await importOf(one.where, one.id)).state));
  // The others go on meanwhile, and the quickest may just have ended.
  expect(states).toContain("RUNNING");
  for (const one of large)
    expect(await ended(one.where, one.id)).toMatchObject({ state: "DONE", rows: 20_000, created: 20_000 });
});
