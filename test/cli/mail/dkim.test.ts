import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { createPublicKey } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { usesKey } from "#commands/dkim.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { systemClock } from "#core/time/clock.ts";
import { checkDkimRecord, type Dns } from "#doctor/dns/dns.ts";
import { lacks } from "../../support/common/needs.ts";
import { canMount, mountDisk, unmountDisk } from "../../support/common/small-disk.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { postrider, PROGRAM, temporaryDirectory } from "../../support/server/postrider.ts";

let home: ReturnType<typeof temporaryDirectory>;
let id: string;
const lacksRoot = lacks("root", process.getuid?.() === 0, "run them as root.");
const run = (...args: string[]) => postrider(home.path, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).out);
const dkimSettings = async () => {
  const { dkimDomain, dkimSelector, dkimPrivateKeyFile } = await json("settings", "get");
  return [dkimDomain, dkimSelector, dkimPrivateKeyFile];
};

describe("dkim", () => {
  beforeEach(async () => {
    home = temporaryDirectory();
    const made = await postrider(home.path, ["workspace", "create", "--name", "Ada's", "--json"]);
    expect(made.code).toBe(0);
    id = (await json("workspace", "list"))[0].id;
  });
  afterEach(() => home.remove());

  test("create makes a key only its owner can read, sets it up, and prints the record; show prints it again", async () => {
    await run("settings", "set", "fromEmail=news@shop.example.org");
    const opened = spyOn(fs, "openSync");
    const { code, out, err } = await run("dkim", "create");
    const directories = opened.mock.calls.filter(([, how]) => how === "r").map(([path]) => path);
    opened.mockRestore();
    // After a power cut, the name of the key would be missing, and with a first key its directory.
    if (PROGRAM.length > 1)
      expect(directories).toEqual(expect.arrayContaining([`${home.path}/dkim`, home.path]));
    const file = `${home.path}/dkim/${id}-postrider.pem`;
    expect([code, err]).toEqual([0, ""]);
    expect([statSync(file).mode & 0o777, statSync(`${home.path}/dkim`).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await dkimSettings()).toEqual(["shop.example.org", "postrider", file]);
    const publicKey = createPublicKey(readFileSync(file))
      .export({ type: "spki", format: "der" })
      .toString("base64");
    const shown = await run("dkim", "show");
    expect(shown.out).toBe(out);
    expect(out).toMatch(/^Name +postrider\._domainkey\.shop\.example\.org$/m);
    const strings = [.../^Value +(.*)$/m.exec(out)![1]!.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
    expect(strings.join("")).toBe(`v=DKIM1; k=rsa; p=${publicKey}`);
    expect(Math.max(...strings.map((text) => text.length))).toBe(255);
    expect(await json("dkim", "show")).toEqual({
      name: "postrider._domainkey.shop.example.org",
      type: "TXT",
      value: strings.join(""),
      keyFile: file,
    });
    expect(out).not.toContain("PRIVATE");
  });

  test.skipIf(lacksRoot)(
    "create by root gives the key to whose the data is, or no mail could be signed",
    async () => {
      await run("settings", "set", "fromEmail=news@shop.example.org");
      chownSync(home.path, 12_345, 12_345);
      expect((await run("dkim", "create")).code).toBe(0);
      for (const path of ["dkim", `dkim/${id}-postrider.pem`]) {
        const { uid, gid } = statSync(`${home.path}/${path}`);
        expect([path, uid, gid]).toEqual([path, 12_345, 12_345]);
      }
    },
  );

  test.skipIf(lacks("mount", canMount, "run it as root to try a full disk."))(
    "create names the file for which its disk has no room, and leaves no half key",
    async () => {
      await run("settings", "set", "fromEmail=news@shop.example.org");
      const directory = `${home.path}/dkim`;
      mkdirSync(directory, { mode: 0o700 });
      mountDisk(directory, 16);
      try {
        expect(() => writeFileSync(`${directory}/ballast`, Buffer.alloc(64 * 1024, 1))).toThrow();
        const { code, err } = await run("dkim", "create");
        expect([code, err]).toEqual([1, `postrider: ${directory}/${id}-postrider.pem: its disk is full\n`]);
        expect(readdirSync(directory)).toEqual(["ballast"]);
      } finally {
        unmountDisk(directory);
      }
    },
  );

  test.skipIf(needsSqlite("a trigger of its file refuses the write"))(
    "create leaves no key behind where the settings cannot be written, and can be repeated",
    async () => {
      await run("settings", "set", "fromEmail=news@shop.example.org");
      const sqlite = new Database(`${home.path}/postrider.db`);
      sqlite.run(
        "CREATE TRIGGER refusing BEFORE INSERT ON settings BEGIN SELECT raise(ABORT, 'not now'); END",
      );
      expect(await run("dkim", "create")).toMatchObject({ code: 1, err: expect.stringContaining("not now") });
      expect(readdirSync(`${home.path}/dkim`)).toEqual([]);
      sqlite.run("DROP TRIGGER refusing");
      sqlite.close();
      expect((await run("dkim", "create")).code).toBe(0);
    },
  );

  test("create wants the servers' directory named where the data is in PostgreSQL", async () => {
    const ended = await postrider(home.path, ["dkim", "create"], {
      DATA_DIR: "",
      DATABASE_URL: "postgres://ada@127.0.0.1:1/postrider",
    });
    expect([ended.code, ended.out]).toEqual([2, ""]);
    expect(ended.err).toContain("name the DATA_DIR of the servers with --data-dir");
  });

  test("create never overwrites a key; another selector makes another", async () => {
    await run("settings", "set", "fromEmail=news@shop.example.org");
    await run("dkim", "create", "--domain", "example.org");
    const [, , file] = await dkimSettings();
    const before = readFileSync(file, "latin1");
    const again = await run("dkim", "create");
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.err).toContain("never overwritten: choose another --selector");
    expect(readFileSync(file, "latin1")).toBe(before);
    expect((await dkimSettings())[0]).toBe("example.org");
    expect((await run("dkim", "create", "--selector", "mail2027")).code).toBe(0);
    expect((await dkimSettings()).slice(0, 2)).toEqual(["shop.example.org", "mail2027"]);
  });

  test("create refuses what could not count, and leaves nothing behind", async () => {
    const refused = async (says: string, ...flags: string[]) => {
      const { code, out, err } = await run("dkim", "create", ...flags);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(says);
    };
    await refused("no sender yet");
    await run("settings", "set", "fromEmail=news@shop.example.org");
    await refused("must be shop.example.org or a domain above it", "--domain", "example.com");
    await refused("must be shop.example.org or a domain above it", "--domain", "op.example.org");
    await refused("must be shop.example.org or a domain above it", "--domain", "mail.shop.example.org");
    await refused("dkimSelector must be", "--selector", "../../etc");
    await refused("must not be empty", "--selector", "");
    expect(existsSync(`${home.path}/dkim`)).toBe(false);
    expect(await dkimSettings()).toEqual(["", "", ""]);
  });

  test("show and check say what is missing", async () => {
    for (const command of ["show", "check"]) {
      const { code, err } = await run("dkim", command);
      expect([code, err.includes("postrider dkim create")]).toEqual([1, true]);
    }
    await run("settings", "set", "fromEmail=ada@example.com", "dkimDomain=example.com", "dkimSelector=s1");
    expect((await run("dkim", "check")).err).toContain("dkimPrivateKeyFile");
    await run("settings", "set", `dkimPrivateKeyFile=${home.path}/gone.pem`);
    const gone = await run("dkim", "check");
    expect([gone.code, gone.err.includes("gone.pem cannot be read")]).toEqual([1, true]);
  });
});

describe("the check of a record", () => {
  const name = "s1._domainkey.example.com";
  const dns = (txt: Dns["txt"]): Dns => ({
    txt,
    ns: async () => ["ns.example"],
    mx: async () => [],
    addresses: async () => [],
  });
  const noName = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });

  test.each<readonly [string, Dns["txt"], string]>([
    ["passes for the key, in pieces", async () => [["v=DKIM1; k=rsa; p=MI", "IB"]], "ok its key is"],
    ["fails for another", async () => [["v=DKIM1; k=rsa; p=OTHER"]], "fail its key is not"],
    ["fails without a record", async () => Promise.reject(noName), "fail there is no record"],
    ["fails where DNS does", async () => Promise.reject(new Error("SERVFAIL")), "fail could not be asked"],
  ])("%s", async (_, txt, verdict) => {
    const { result, message } = await checkDkimRecord(dns(txt), systemClock, { name, publicKey: "MIIB" });
    expect(`${result} ${message}`).toStartWith(verdict);
  });

  test("gives up after three seconds", async () => {
    const clock = manualClock();
    const found = checkDkimRecord(
      dns(() => new Promise(() => undefined)),
      clock,
      { name, publicKey: "MIIB" },
    );
    clock.advance(3_000);
    expect(await found).toMatchObject({ result: "fail", message: "could not be asked" });
  });
});

describe("a new key's file, where the settings could not be changed", () => {
  const named = (file: string) => () => Promise.resolve({ dkimPrivateKeyFile: file });
  const silent = () => Promise.reject(new Error("no answer"));
  const failing = new StorageError("failing", null);

  test.each([
    ["stays if they name it all the same: its flush failed", failing, named("new.pem"), true],
    ["goes if they do not", failing, named("old.pem"), false],
    ["stays if they cannot be read", failing, silent, true],
    ["stays if the change had no answer", new StorageError("unreachable", null), named("old.pem"), true],
  ])("%s", async (_, error, settings, stays) => {
    expect(await usesKey(settings, "new.pem", error)).toBe(stays);
  });
});
