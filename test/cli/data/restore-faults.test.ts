/** A restore on a disk that fails for a moment, or at the end: it says what is true, and what to do. */
import { Database } from "bun:sqlite";
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { systemWords } from "#core/errors/system-words.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { postrider, PROGRAM } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

// The executable restores in a process of its own, where nothing can be made to fail.
const isElsewhere = needsSqlite("only its database is a file") || PROGRAM.length === 1;
const at = freshHomes();

/** As Bun's `rmSync` tells of EIO. */
const notRemoved = (path: string): Error =>
  Object.assign(new Error(`EFAULT: bad address in system call argument, rm '${path}'`), {
    code: "EFAULT",
    syscall: "rm",
    path,
  });

test("a file that cannot be removed is told in words", () => {
  expect(systemWords(notRemoved("/data/a"))).toBe(
    "/data/a: it cannot be removed, and its disk may be failing",
  );
});

describe.skipIf(isElsewhere)("a restore", () => {
  const spies: { mockRestore(): void }[] = [];
  afterEach(() => spies.splice(0).forEach((spy) => spy.mockRestore()));

  async function backUp(): Promise<string> {
    const backup = `${at.other}/backup.db`;
    await postrider(at.other, ["workspace", "create", "--name", "Ada's"]);
    expect((await postrider(at.other, ["backup", backup])).code).toBe(0);
    await postrider(at.home, ["workspace", "create", "--name", "Grace's"]);
    return backup;
  }
  const names = async (): Promise<string> => (await postrider(at.home, ["workspace", "list"])).out;

  /** What the check of a database says, the first so many times. */
  function checkSays(says: string, times: number): void {
    const real = Database.prototype.query;
    let left = times;
    const spy = spyOn(Database.prototype, "query").mockImplementation(function (this: Database, sql: string) {
      if (!sql.includes("integrity_check") || left-- <= 0) return real.call(this, sql);
      return real.call(this, `SELECT '${says}' AS integrity_check`);
    } as typeof real);
    spies.push(spy);
  }
  const UNREAD = "Tree 7 page 9: unable to get the page. error code=266";

  test("reads a backup again that seems damaged: one read may have failed", async () => {
    const backup = await backUp();
    checkSays(UNREAD, 1);
    expect(await postrider(at.home, ["restore", backup, "--force"])).toMatchObject({ code: 0, err: "" });
    expect(await names()).toContain("Ada's");
  });

  test("says of a backup that cannot be read that nobody knows whether it is damaged", async () => {
    const backup = await backUp();
    checkSays(UNREAD, 2);
    const { code, err } = await postrider(at.home, ["restore", backup, "--force"]);
    expect(code).toBe(1);
    expect(err).toBe(
      `postrider: ${backup} was copied, but the copy cannot be read (${UNREAD}), so nobody knows whether the backup is damaged. Nothing was changed. See to the disk of ${at.home} first (dmesg says what is wrong with it), and restore again\n`,
    );
    expect(await names()).toContain("Grace's");
  });

  test("still says of a damaged backup that it is", async () => {
    const backup = await backUp();
    checkSays("row 3 missing from index contacts_email", 2);
    const { code, err } = await postrider(at.home, ["restore", backup, "--force"]);
    expect([code, err]).toEqual([
      1,
      `postrider: ${backup} is damaged (row 3 missing from index contacts_email): take an older backup\n`,
    ]);
  });

  test("whose copy cannot be removed at the end is done, lists what is held, and warns", async () => {
    const backup = await backUp();
    const { rmSync, renameSync } = fs;
    let isSwapped = false;
    spies.push(
      spyOn(fs, "renameSync").mockImplementation((from, to) => {
        renameSync(from, to);
        isSwapped ||= String(from).endsWith(".db.part");
      }),
      spyOn(fs, "rmSync").mockImplementation((path, options) => {
        if (isSwapped && String(path).endsWith(".db.part-wal")) throw notRemoved(String(path));
        rmSync(path, options);
      }),
    );
    const { code, out, err } = await postrider(at.home, ["restore", backup, "--force"]);
    expect([code, err]).toEqual([
      0,
      `postrider: the database is restored, but a file of its copy is left: ${at.home}/postrider.db.part-wal: it cannot be removed, and its disk may be failing\n`,
    ]);
    expect(out).toContain(`${backup} is restored as`);
    expect(out).toContain("the next start has nothing to hold");
    expect(await names()).toContain("Ada's");
  });

  test("whose mark that it runs cannot be removed is done: the next start looks through the database", async () => {
    const backup = await backUp();
    const { rmSync } = fs;
    spies.push(
      spyOn(fs, "rmSync").mockImplementation((path, options) => {
        if (String(path).endsWith("/server.json")) throw notRemoved(String(path));
        rmSync(path, options);
      }),
    );
    expect(await postrider(at.home, ["restore", backup, "--force"])).toMatchObject({ code: 0, err: "" });
    expect(fs.existsSync(`${at.home}/server.json`)).toBeTrue();
    expect(await names()).toContain("Ada's");
  });

  test("takes a link to a database in use for what it is, and changes nothing", async () => {
    const backup = await backUp();
    fs.renameSync(backup, `${at.other}/live.db`);
    fs.writeFileSync(`${at.other}/live.db-wal`, "the newest changes");
    fs.symlinkSync(`${at.other}/live.db`, backup);
    const { code, err } = await postrider(at.home, ["restore", backup, "--force"]);
    expect([code, err]).toEqual([1, expect.stringContaining(`log beside it (${at.other}/live.db-wal)`)]);
    expect(await names()).toContain("Grace's");
  });
});
