/** Backups by API (docs/decisions.md "Backups"): who may, what is downloaded, and what stays. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStem } from "#backups/backup.ts";
import { sleep, systemClock } from "#core/time/clock.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { DAY_MS, MINUTE_MS } from "#core/time/time.ts";
import { lacks } from "../../support/common/needs.ts";
import { canMount, mountDisk, unmountDisk } from "../../support/common/small-disk.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { joins, PASSWORD, signedIn, signIn, type Person } from "../../support/server/signed-in.ts";
import { needsSqlite } from "../../support/server/services.ts";

const clock = manualClock();
let api: TestApi;
let owner: Person;
/** The backups of a PostgreSQL are its own (docs/decisions.md "Backups"). */
const isElsewhere = needsSqlite("it makes backups of its file");
beforeAll(async () => {
  api = await startApi({ clock });
  owner = await signedIn(api, "owner");
});
afterAll(() => api.stop());

const directory = () => join(api.dataDir, "backups");
const files = (): string[] => readdirSync(directory()).toSorted();
const get = async (id: string, person = owner) => (await person.call("GET", `/backups/${id}`)).body.data;
const listed = async () => (await owner.call("GET", "/backups")).body.data;

/** Waits until none is being made. */
async function over(id: string): Promise<any> {
  for (;;) {
    const backup = await get(id);
    if (backup.state !== "RUNNING") return backup;
    await sleep(systemClock, 10);
  }
}

async function made(): Promise<any> {
  clock.advance(1_000);
  const answer = await owner.call("POST", "/backups");
  expect([answer.status, answer.body.data.state]).toEqual([202, "RUNNING"]);
  return await over(answer.body.data.id);
}

const unlock = (id: string, person = owner, password: unknown = PASSWORD) =>
  person.call("POST", `/backups/${id}/unlock`, { password });

const download = (id: string, { cookie } = owner) =>
  fetch(`${api.url}/api/v1/backups/${id}/file`, { headers: { cookie } });

const log = async (what: string): Promise<any[]> =>
  (await owner.call("GET", `/audit?limit=100&what=${what}`)).body.data;

describe.skipIf(isElsewhere)("a backup", () => {
  test("is made beside everything else, and is what `restore` takes", async () => {
    await api.call("POST", "/contacts", { email: "ada@example.com" });
    const backup = await made();
    expect(backup).toEqual({
      id: expect.stringMatching(/^bak_[0-9a-z]{26}$/),
      state: "DONE",
      createdAt: new Date(clock.now()).toISOString(),
      sizeBytes: expect.any(Number),
      progress: null,
      error: null,
    });
    expect((await unlock(backup.id)).status).toBe(200);
    const answer = await download(backup.id);
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="postrider-\d{8}T\d{6}Z\.db"$/,
    );
    expect(answer.headers.get("content-type")).toBe("application/vnd.sqlite3");
    const bytes = await answer.bytes();
    expect(bytes.length).toBe(backup.sizeBytes);
    const path = join(tmpdir(), `postrider-backup-${process.pid}.db`);
    writeFileSync(path, bytes);
    const sqlite = new Database(path, { readonly: true });
    expect(sqlite.query("SELECT email FROM contacts").values()).toEqual([["ada@example.com"]]);
    expect(sqlite.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    sqlite.close();
    rmSync(path);
  });

  test("is closed to others on the machine", async () => {
    await made();
    expect(statSync(directory()).mode & 0o077).toBe(0);
    for (const name of files()) expect(statSync(join(directory(), name)).mode & 0o077).toBe(0);
  });

  test("is one of the last three: older ones go, newest first in the list", async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push((await made()).id);
    expect((await listed()).map(({ id }: any) => id)).toEqual(ids.toReversed().slice(0, 3));
    expect(files().length).toBe(3);
  });

  test("stays although others seem to be newer, because the clock was ahead; those go first", async () => {
    const before = (await made()).id;
    const createdAt = clock.now() + DAY_MS;
    for (const letter of "abc") {
      const stem = fileStem({ createdAt, id: `bak_${letter.repeat(26)}` });
      writeFileSync(join(directory(), `${stem}.db`), "SQLite format 3");
    }
    const [first, second] = [(await made()).id, (await made()).id];
    expect((await listed()).map(({ id }: any) => id)).toEqual([second, first, before]);
    expect(files().length).toBe(3);
  });

  test("is not made twice at once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => owner.call("POST", "/backups")));
    expect(answers.map(({ status }) => String(status)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "202",
      "409",
      "409",
    ]);
    await over(answers.find(({ status }) => status === 202)!.body.data.id);
  });

  test("that is deleted is gone; one that is being made stays", async () => {
    const { id } = await made();
    expect((await owner.call("DELETE", `/backups/${id}`)).status).toBe(204);
    expect((await owner.call("GET", `/backups/${id}`)).status).toBe(404);
    expect((await owner.call("DELETE", `/backups/${id}`)).status).toBe(404);
    expect(files().filter((name) => name.includes(id))).toEqual([]);
    const running = (await owner.call("POST", "/backups")).body.data;
    const refused = await owner.call("DELETE", `/backups/${running.id}`);
    // A very small database may be copied by now.
    expect([204, 422]).toContain(refused.status);
    if (refused.status === 422) expect((await over(running.id)).state).toBe("DONE");
  });

  test.skipIf(lacks("right to mount a file system", canMount, "run them as root."))(
    "that does not fit is FAILED before anything is copied, and says what it needs and what is free",
    async () => {
      mkdirSync(directory(), { recursive: true });
      const before = (await made()).id;
      try {
        expect(mountDisk(directory(), 256)).toBe(true);
        expect(await made()).toMatchObject({
          state: "FAILED",
          error: expect.stringMatching(
            /^There is no room for a backup: it needs \d+ MiB \(\d+ for the copy, 1 to spare\), and 0 MiB are free\. Make room/,
          ),
        });
        expect(files().filter((name) => statSync(join(directory(), name)).size > 0)).toEqual([]);
      } finally {
        unmountDisk(directory());
      }
      expect((await made()).state).toBe("DONE");
      expect((await listed()).map(({ id }: any) => id)).toContain(before);
    },
  );

  test("that was cut off is told of, takes no room, and is never taken for a whole one", async () => {
    mkdirSync(directory(), { recursive: true });
    const id = "bak_01kafc8w2t5m9h4q7z3r6xndbv";
    writeFileSync(join(directory(), `20261121T093000.000Z-${id}.db.part`), "SQLite format 3");
    writeFileSync(join(directory(), `20261121T093000.000Z-${id}.db.part-journal`), "half");
    writeFileSync(join(directory(), "notes.txt"), "not ours");
    // One that cannot be changed keeps no other.
    const locked = join(directory(), `20260105T090000.000Z-bak_${"0".repeat(26)}.db.part`);
    mkdirSync(locked);
    expect(await api.services.backups.sweep().catch(errorCode)).toBe("EISDIR");
    rmSync(locked, { recursive: true });
    expect(await get(id)).toMatchObject({
      state: "FAILED",
      sizeBytes: null,
      createdAt: "2026-11-21T09:30:00.000Z",
      error: "The server ended before the backup was whole.",
    });
    expect(statSync(join(directory(), `20261121T093000.000Z-${id}.failed`)).size).toBe(0);
    expect(files().filter((name) => name.includes("part"))).toEqual([]);
    expect((await unlock(id)).body.error.code).toBe("WRONG_STATE");
    expect((await download(id)).status).toBe(422);
    const next = await made();
    expect((await listed()).filter(({ state }: any) => state !== "DONE")).toEqual([]);
    expect((await listed())[0].id).toBe(next.id);
    expect(files()).toContain("notes.txt");
    rmSync(join(directory(), "notes.txt"));
  });

  test("that fails says why, and leaves no file that looks whole", async () => {
    rmSync(directory(), { recursive: true });
    writeFileSync(directory(), "in the way");
    const failed = await made();
    expect([failed.state, failed.error]).toEqual([
      "FAILED",
      "The copy could not be made: the server's log says why.",
    ]);
    rmSync(directory());
    expect((await made()).state).toBe("DONE");
    expect((await listed()).map(({ state }: any) => state)).toEqual(["DONE"]);
  });
});

describe.skipIf(isElsewhere)("the file of a backup", () => {
  test("is given to the session that gave the password for it, for five minutes", async () => {
    const [first, second] = [await made(), await made()];
    const elsewhere = await signIn(api, owner.email, PASSWORD);
    expect((await download(first.id)).status).toBe(403);
    const { body } = await unlock(first.id);
    expect(body.data).toEqual({ until: new Date(clock.now() + 5 * MINUTE_MS).toISOString() });
    expect((await download(first.id)).status).toBe(200);
    expect((await download(second.id)).status).toBe(403);
    expect((await download(first.id, elsewhere)).status).toBe(403);
    clock.advance(5 * MINUTE_MS);
    expect((await download(first.id)).status).toBe(403);
  });

  test("needs the right password, and wrong ones count as failed sign-ins", async () => {
    const { id } = await made();
    const other = await signedIn(api, "owner");
    expect((await unlock("bak_nothing", other, "wrong")).status).toBe(404);
    for (let i = 0; i < 5; i++) expect((await unlock(id, other, "wrong words here")).status).toBe(422);
    expect((await unlock(id, other)).status).toBe(429);
    expect((await download(id, other)).status).toBe(403);
    expect((await owner.call("POST", `/backups/${id}/unlock`, {})).status).toBe(422);
    clock.advance(16 * MINUTE_MS);
  });

  test("is nobody's whose session has ended", async () => {
    const { id } = await made();
    const leaving = await signIn(api, owner.email, PASSWORD);
    expect((await unlock(id, leaving)).status).toBe(200);
    await leaving.call("DELETE", "/session");
    expect((await download(id, leaving)).status).toBe(401);
  });
});

describe.skipIf(isElsewhere)("backups", () => {
  const ROUTES = [
    ["GET", "/backups"],
    ["POST", "/backups"],
    ["GET", "/backups/nothing"],
    ["POST", "/backups/nothing/unlock", { password: PASSWORD }],
    ["GET", "/backups/nothing/file"],
    ["DELETE", "/backups/nothing"],
  ] as const;

  test("are for people, never for keys", async () => {
    for (const [method, path, body] of ROUTES)
      expect([method, path, (await api.call(method, path, body)).status]).toEqual([method, path, 403]);
  });

  test("are for who owns every workspace, and nobody else", async () => {
    const editor = await signedIn(api, "editor");
    for (const [method, path, body] of ROUTES)
      expect([method, path, (await editor.call(method, path, body)).status]).toEqual([method, path, 403]);
    const before = await listed();
    const there = await api.services.workspaces.create("Somebody else's");
    for (const [method, path, body] of ROUTES)
      expect([method, path, (await owner.call(method, path, body)).status]).toEqual([method, path, 403]);
    await joins(api, there.id, owner, "viewer");
    expect((await owner.call("GET", "/backups")).status).toBe(403);
    const [me] = (await api.services.users.list(there.id)).filter(({ email }) => email === owner.email);
    await api.services.users.changeRole(there.id, me!.id, "owner");
    expect(await listed()).toEqual(before);
  });

  test("are written into the audit log of every workspace: made, downloaded, deleted", async () => {
    const { id } = await made();
    await unlock(id);
    await (await download(id)).bytes();
    await owner.call("DELETE", `/backups/${id}`);
    for (const what of ["backup_made", "backup_downloaded", "backup_deleted"])
      expect((await log(what))[0]).toMatchObject({ who: owner.email, what, target: id });
    for (const { id: workspace } of await api.services.workspaces.list()) {
      const there = await owner.call("GET", "/audit?what=backup_deleted", undefined, {
        "x-workspace": workspace,
      });
      expect(there.body.data[0]).toMatchObject({ who: owner.email, target: id });
    }
  });
});

describe.skipIf(isElsewhere)("a server that ends while a backup is made", () => {
  test("leaves nothing half made, and the next one tells of it", async () => {
    const first = await startApi();
    const person = await signedIn(first, "owner");
    const { email, workspaceId } = person;
    const { id } = (await person.call("POST", "/backups")).body.data;
    await first.stop({ keep: true });
    const second = await startApi({ home: first });
    await second.services.backups.sweep();
    const again = await signIn(second, email, PASSWORD, workspaceId);
    const { state, sizeBytes } = (await again.call("GET", `/backups/${id}`)).body.data;
    // It was whole before the end, or it is said to have failed.
    expect([state, sizeBytes === null]).toEqual(state === "DONE" ? ["DONE", false] : ["FAILED", true]);
    const left = readdirSync(join(second.dataDir, "backups"));
    expect(left.filter((name) => name.includes("part"))).toEqual([]);
    await second.stop();
  });
});
