/**
 * On a real file system that is really full: a tmpfs of a few MB, if this machine lets the test mount one.
 */
import { afterEach, describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { callApi } from "../../support/server/api.ts";
import { lacks } from "../../support/common/needs.ts";
import { canMount, mountDisk, unmountDisk } from "../../support/common/small-disk.ts";
import {
  keyOf,
  postrider,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { rawClient } from "../../support/server/raw-client.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";

const lacksSqlite = needsSqlite("only its disk is the server's own");

const SIZE_MB = 12;
/** With what a restore leaves to the server. */
const ROOMY_MB = 200;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function smallDisk(sizeMb = SIZE_MB): string {
  const path = mkdtempSync(join(tmpdir(), "postrider-disk-"));
  mountDisk(path, sizeMb * 1024);
  closing.push(() => {
    unmountDisk(path);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** Takes every byte that is left but for so many. */
function fill(disk: string, leftBytes = 0): { empty(): void } {
  const file = openSync(`${disk}/ballast`, "w");
  const block = Buffer.alloc(4_096, 1);
  const { bavail, bsize } = statfsSync(disk);
  try {
    for (let left = bavail * bsize; left > leftBytes; left -= block.length) writeSync(file, block);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOSPC") throw error;
  }
  closeSync(file);
  return { empty: () => rmSync(`${disk}/ballast`) };
}

async function start(dataDir: string, ...args: string[]): Promise<RunningServer> {
  const server = await startPostrider(dataDir, args);
  closing.push(() => server.end("SIGKILL"));
  return server;
}

const MAYBE_DAMAGED = /is damaged, or its disk cannot be read\. .*`postrider doctor`.*only if/;

const lines = (server: RunningServer): Record<string, any>[] =>
  server
    .err()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const troubles = (server: RunningServer): string[] =>
  lines(server)
    .filter(({ level, message }) => level !== "info" || String(message).includes("again"))
    .map(({ message }) => message)
    .filter((message) => !message.startsWith("mail is captured") && !message.includes("file system"));
const healthOf = async (server: RunningServer) => {
  const response = await fetch(`${server.url}/health`);
  return [response.status, ((await response.json()) as { status: string }).status];
};
const writable = async (server: RunningServer): Promise<string> =>
  /^postrider_database_writable (\d)/m.exec(await (await fetch(`${server.url}/metrics`)).text())![1]!;
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

function plansIn(dataDir: string): number {
  const sqlite = new Database(`${dataDir}/postrider.db`, { readonly: true });
  try {
    return sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM mailings").get()!.n;
  } finally {
    sqlite.close();
  }
}

describe.skipIf(lacks("right to mount a file system", canMount, "run them as root."))(
  "on a full disk",
  () => {
    test.skipIf(lacksSqlite)(
      "health and metrics say so, requests say why, the log says it once, and all goes on once there is room",
      async () => {
        const relay = scriptedSmtp();
        closing.push(() => relay.stop());
        const disk = smallDisk();
        const server = await start(disk, "--smtp-url", relay.url);
        const key = keyOf(server);
        const call = (method: string, path: string, body?: unknown) =>
          callApi(`${server.url}/api/v1${path}`, method, key, body);
        const sender = ["fromEmail=news@example.com", "mailingAddress=1 Example Street"];
        expect((await postrider(disk, ["settings", "set", ...sender])).code).toBe(0);
        const list = (await call("POST", "/lists", { name: "Readers" })).body.data;
        const contactIds: string[] = [];
        for (let i = 0; i < 8; i++)
          contactIds.push(
            (await call("POST", "/contacts", { email: `reader-${i}@example.com` })).body.data.id,
          );
        await call("POST", `/lists/${list.id}/contacts`, { contactIds });
        const draft = { name: "Spring", subject: "Spring", body: "<p>Spring</p>", listId: list.id };
        const { id } = (await call("POST", "/campaigns", draft)).body.data;
        expect(await healthOf(server)).toEqual([200, "ok"]);

        const ballast = fill(disk);
        const big = { name: "Big", subject: "Big", body: `<p>${"x".repeat(200_000)}</p>` };
        // What the log has room for already goes in first, each time it begins anew.
        let refusedInRow = 0;
        await until(async () => {
          refusedInRow = (await call("POST", "/campaigns", big)).status === 500 ? refusedInRow + 1 : 0;
          return refusedInRow > 20;
        });
        const refused = await call("POST", "/campaigns", big);
        expect([refused.status, refused.body.error]).toEqual([
          500,
          { code: "INTERNAL_ERROR", message: expect.stringContaining("its disk is full") },
        ]);
        expect([await healthOf(server), await writable(server)]).toEqual([
          [503, "database cannot be written"],
          "0",
        ]);
        for (let i = 0; i < 5; i++) expect((await call("POST", "/campaigns", big)).status).toBe(500);
        // Reading goes on.
        expect((await call("GET", "/contacts")).body.pagination.total).toBe(8);
        expect(await healthOf(server)).toEqual([503, "database cannot be written"]);
        await Bun.sleep(2_500);
        expect(troubles(server)).toEqual([expect.stringContaining("its disk is full")]);

        ballast.empty();
        await until(async () => troubles(server).length > 1);
        expect(troubles(server)).toEqual([
          expect.stringContaining("its disk is full"),
          "the database can be written again",
        ]);
        expect([await healthOf(server), await writable(server)]).toEqual([[200, "ok"], "1"]);
        expect((await call("POST", `/campaigns/${id}/send`)).body.data).toMatchObject({
          sent: 8,
          complete: true,
        });
        expect(relay.accepted.length).toBe(8);
      },
    );

    test("an upload that does not fit is refused, leaves nothing behind, and the next one is imported", async () => {
      const disk = smallDisk();
      const server = await start(disk, "--smtp-url", "smtp://127.0.0.1:1");
      const key = keyOf(server);
      const call = (path: string) => callApi(`${server.url}/api/v1${path}`, "GET", key);

      // It goes on sending while it reads the answer.
      const client = await rawClient(server.url);
      const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n';
      const bytes = 2 * SIZE_MB * 1024 * 1024;
      client.send(
        `POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=x\r\n` +
          `Content-Length: ${part.length + bytes}\r\n\r\n${part}`,
      );
      await client.pour(bytes);
      await client.until(/\r\n\r\n\{.*\}$/);
      client.cut();
      expect(client.received).toMatch(/^HTTP\/1\.1 500 [\s\S]*"INTERNAL_ERROR"[\s\S]*disk is full/);
      expect(readdirSync(`${disk}/imports`)).toEqual([]);
      expect((await call("/imports")).body.pagination.total).toBe(0);
      await until(async () => (await healthOf(server))[0] === 200);

      const form = new FormData();
      form.append("options", JSON.stringify({ status: "PENDING" }));
      const rows = Array.from({ length: 100 }, (_, i) => `p${i}@example.com`);
      form.append("file", new Blob([["email", ...rows].join("\n")]), "people.csv");
      const headers = { authorization: `Bearer ${key}` };
      const taken = await fetch(`${server.url}/api/v1/imports`, { method: "POST", headers, body: form });
      const { id } = ((await taken.json()) as any).data;
      await until(async () => (await call(`/imports/${id}`)).body.data.state !== "RUNNING");
      expect((await call(`/imports/${id}`)).body.data).toMatchObject({ state: "DONE", created: 100 });
      expect((await call("/contacts?limit=1")).body.pagination.total).toBe(100);
    });

    test.skipIf(lacksSqlite)(
      "a backup that does not fit names its own disk, and leaves nothing there",
      async () => {
        const [disk, home] = [smallDisk(), temporaryDirectory()];
        closing.push(() => home.remove());
        await start(home.path);
        fill(disk, 64 * 1024);
        const { code, err } = await postrider(home.path, ["backup", `${disk}/copy.db`]);
        expect([code, err]).toEqual([1, expect.stringContaining(`no room for a backup in ${disk}:`)]);
        expect(readdirSync(disk)).toEqual(["ballast"]);
      },
    );

    test.skipIf(lacksSqlite)("a backup that would leave the server no room is refused", async () => {
      const disk = smallDisk();
      await start(disk);
      const { code, err } = await postrider(disk, ["backup", `${disk}/copy.db`]);
      const room = /it needs \d+ MiB \(\d+ for the copy, 100 to spare\), and \d+ MiB are free: make room/;
      expect([code, err.trim().split("\n")]).toEqual([1, [expect.stringMatching(room)]]);
      expect(readdirSync(disk).filter((name) => name.startsWith("copy"))).toEqual([]);
    });

    test.skipIf(lacksSqlite)("a backup needs no room for what was deleted", async () => {
      const [disk, home] = [smallDisk(), temporaryDirectory()];
      closing.push(() => home.remove());
      await postrider(home.path, ["workspace", "create", "--name", "Ada's"]);
      const sqlite = new Database(`${home.path}/postrider.db`);
      sqlite.run("CREATE TABLE large AS SELECT zeroblob(40000000) AS bytes");
      sqlite.run("DROP TABLE large");
      sqlite.close();
      expect(statSync(`${home.path}/postrider.db`).size).toBeGreaterThan(3 * SIZE_MB * 1024 ** 2);
      expect(await postrider(home.path, ["backup", `${disk}/copy.db`])).toMatchObject({ code: 0, err: "" });
      expect(readdirSync(disk)).toEqual(["copy.db"]);
    });

    test("an export whose last piece does not fit fails, and leaves nothing there", async () => {
      const [disk, home] = [smallDisk(), temporaryDirectory()];
      closing.push(() => home.remove());
      const server = await start(home.path);
      const contacts = Array.from({ length: 45 }, (_, i) => ({
        email: `reader-${i}@example.com`,
        firstName: "x".repeat(200),
      }));
      await callApi(`${server.url}/api/v1/contacts/bulk`, "POST", keyOf(server), { contacts });
      fill(disk, 8 * 1024);
      const { code, err } = await postrider(home.path, ["export", "contacts", "--output", `${disk}/a.csv`]);
      expect([code, err]).toEqual([1, expect.stringContaining("its disk is full")]);
      expect(readdirSync(disk)).toEqual(["ballast"]);
    });

    test.skipIf(lacksSqlite)("a send that fails there never goes out later, whatever is killed", async () => {
      const relay = scriptedSmtp();
      closing.push(() => relay.stop());
      const disk = smallDisk();
      const server = await start(disk, "--smtp-url", relay.url);
      const key = keyOf(server);
      const sender = ["fromEmail=news@example.com", "mailingAddress=1 Example Street"];
      await postrider(disk, ["settings", "set", ...sender]);
      await server.end("SIGTERM");
      const sqlite = new Database(`${disk}/postrider.db`);
      sqlite.run(
        "INSERT INTO lists (id, workspace, name, search, created_at) VALUES ('list_1', 1, 'All', 'all', 0)",
      );
      sqlite.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
       INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'ct_' || i, 1, 'reader-' || i || '@example.com', '', '', 'SUBSCRIBED', '', 0 FROM n`,
      );
      sqlite.run("INSERT INTO list_members SELECT 1, 'SUBSCRIBED', seq, 0 FROM contacts");
      sqlite.close();
      const second = await start(disk, "--smtp-url", relay.url);
      const call = (on: RunningServer, method: string, path: string, body?: unknown) =>
        callApi(`${on.url}/api/v1${path}`, method, key, body);
      const draft = { name: "Spring", subject: "Spring", body: "<p>Spring</p>", listId: "list_1" };
      const { id } = (await call(second, "POST", "/campaigns", draft)).body.data;
      const ballast = fill(disk, 200_000);
      const answer = await call(second, "POST", `/campaigns/${id}/send`);
      expect([answer.status, answer.body.error.message]).toEqual([
        500,
        expect.stringContaining("disk is full"),
      ]);
      await second.end("SIGKILL");
      ballast.empty();
      const third = await start(disk, "--smtp-url", relay.url);
      // Where no plan is left, nothing can go out any more.
      await until(() => Promise.resolve(plansIn(disk) === 0));
      expect(relay.accepted.length).toBe(0);
      expect((await call(third, "GET", `/campaigns/${id}`)).body.data.status).toBe("DRAFT");
      await third.end("SIGTERM");
      expect([plansIn(disk), relay.accepted.length]).toEqual([0, 0]);
    });
  },
);

test.skipIf(lacksSqlite || !canMount)(
  "a backup on a disk of its own is restored, although its file has the number that the database has here",
  async () => {
    const [home, other, elsewhere] = [smallDisk(ROOMY_MB), smallDisk(), temporaryDirectory()];
    closing.push(() => elsewhere.remove());
    await postrider(home, ["workspace", "create", "--name", "Ada's"]);
    const made = `${elsewhere.path}/made.db`;
    expect((await postrider(home, ["backup", made])).code).toBe(0);
    const file = `${other}/backup.db`;
    const wanted = statSync(`${home}/postrider.db`).ino;
    // Each disk counts its files from the beginning.
    for (let found = 0; found < wanted; found = statSync(file).ino) {
      rmSync(file, { force: true });
      copyFileSync(made, file);
    }
    expect(statSync(file).ino).toBe(wanted);
    expect(await postrider(home, ["restore", file, "--force"])).toMatchObject({ code: 0, err: "" });
  },
);

// SQLite says the same of one read that failed, so a backup is put in its place only when `doctor` says so too.
test.skipIf(lacksSqlite)(
  "a database that turns out to be damaged: 503, said once, and `doctor` comes before a backup",
  async () => {
    const home = temporaryDirectory();
    closing.push(() => home.remove());
    await postrider(home.path, ["workspace", "create", "--name", "Ada's"]);
    const path = `${home.path}/postrider.db`;
    const sqlite = new Database(path);
    const page = sqlite
      .query<{ page: number }, []>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'lists'")
      .get()!.page;
    const { page_size: size } = sqlite.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite.close();
    copyFileSync(path, `${path}.good`);
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
    closeSync(file);
    const server = await start(home.path);
    const key = JSON.parse(
      (await postrider(home.path, ["key", "create", "--name", "Test", "--json"])).out,
    ).key;
    for (let i = 0; i < 3; i++) {
      const answer = await callApi(`${server.url}/api/v1/lists`, "POST", key, { name: "Readers" });
      expect([answer.status, answer.body.error.message]).toEqual([500, expect.stringMatching(MAYBE_DAMAGED)]);
    }
    expect(await healthOf(server)).toEqual([503, "database is damaged"]);
    expect(troubles(server)).toEqual([expect.stringMatching(MAYBE_DAMAGED)]);
  },
);
