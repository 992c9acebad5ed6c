import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { generateKeyPairSync } from "node:crypto";
import { systemRandom } from "#core/random.ts";
import { systemClock } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import { inspect } from "#app/database.ts";
import { systemDns } from "#doctor/dns/dns.ts";
import { examine, type InspectedDatabase } from "#doctor/examine.ts";
import type { Finding } from "#doctor/finding.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { lacks } from "../../support/common/needs.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { isPostgres, needsSqlite, newPlace, openTestServices } from "../../support/server/services.ts";
import { scriptedSmtp, type ScriptedOptions } from "../../support/sending/scripted-smtp.ts";

const isElsewhere = needsSqlite("it looks at the file");

let home: ReturnType<typeof temporaryDirectory>;
const closing: (() => void)[] = [];

beforeEach(async () => {
  home = temporaryDirectory();
  const made = await postrider(home.path, ["workspace", "create", "--name", "Ada's", "--json"]);
  expect(made.code).toBe(0);
});
afterEach(() => home.remove());
afterAll(() => closing.forEach((close) => close()));

const set = (...pairs: string[]) => postrider(home.path, ["settings", "set", ...pairs]);
const COMPLETE = ["mailingAddress=1 Example Street", "fromEmail=news@example.com"];

async function examined(variables: Record<string, string> = {}) {
  const ended = await postrider(home.path, ["doctor", "--json"], variables);
  const findings = JSON.parse(ended.out) as Finding[];
  const of = (check: string) => findings.find((finding) => finding.check.startsWith(check));
  return { ...ended, findings, of };
}

const relay = (options: ScriptedOptions = {}) => {
  const server = scriptedSmtp(options);
  closing.push(() => server.stop());
  return server;
};

describe("doctor", () => {
  test.skipIf(isElsewhere)(
    "finds nothing wrong with a complete installation, and leaves it as it was",
    async () => {
      await set(...COMPLETE);
      const before = readFileSync(`${home.path}/postrider.db`);
      const names = readdirSync(home.path);
      const { code, err, findings } = await examined();
      expect([code, err, findings.filter(({ result }) => result === "fail")]).toEqual([0, "", []]);
      expect(readFileSync(`${home.path}/postrider.db`).equals(before)).toBe(true);
      expect(readdirSync(home.path)).toEqual(names);
    },
  );

  test("prints a line for each check and what to do, and ends with 1 where one fails", async () => {
    const { code, out, err } = await postrider(home.path, ["doctor"]);
    expect([code, err]).toEqual([1, "postrider: 1 check fails\n"]);
    for (const line of out.trimEnd().split("\n"))
      expect(line).toMatch(/^(?:ok {4}|warn {2}|fail {2})[^:]+: /);
    expect(out).toMatch(
      /^fail {2}settings of ws_\w+: mailingAddress and fromEmail are not set.*postrider settings set/m,
    );
  });

  test("greets relays and logs in without sending anything", async () => {
    await set(...COMPLETE);
    const good = relay({ extensions: ["AUTH PLAIN"], auth: { user: "ada", pass: "lovelace" } });
    const { of } = await examined({
      SMTP_URL: `smtp://ada:lovelace@127.0.0.1:${good.port} smtp://ada:wrong@127.0.0.1:${good.port}?name=x.example smtp://127.0.0.1:1`,
      BASE_URL: "https://mail.example.com",
    });
    expect(of(`relay 127.0.0.1:${good.port}`)).toMatchObject({
      result: "ok",
      message: "reached on this machine, logged in",
    });
    expect(of("relay 127.0.0.1:1")).toMatchObject({ result: "fail" });
    expect(of("BASE_URL")).toMatchObject({ result: "ok" });
    expect([good.transactions, good.accepted]).toEqual([0, []]);
  });

  test("says which URL a relay needs that does not begin with TLS", async () => {
    const { of } = await examined({ SMTP_URL: `smtps://127.0.0.1:${relay().port}` });
    expect(of("relay")).toMatchObject({
      result: "fail",
      message: expect.stringContaining("the relay does not speak TLS from the first byte"),
      advice: expect.stringContaining("write smtp:// instead of smtps://"),
    });
  });

  test("compares the clock with the last start, whatever an earlier one said", async () => {
    const [place, now] = [await newPlace(home.path), Date.now()];
    const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
    const services = await openTestServices(place, home.path, world);
    const startedAt = (at: number): Promise<void> =>
      place.run(
        services,
        isPostgres
          ? "INSERT INTO nodes (name, version, started_at) VALUES ('node', '0', ?)"
          : "INSERT INTO runs (started_at) VALUES (?)",
        [at],
      );
    await startedAt(now + 365 * DAY_MS);
    expect((await examined()).of("clock")).toMatchObject({ result: "fail" });
    await startedAt(now);
    expect((await examined()).of("clock")).toMatchObject({ result: "ok" });
    await services.close();
  });

  test("never shows a password, also where the login is refused", async () => {
    const strict = relay({ extensions: ["AUTH PLAIN"], auth: { user: "ada", pass: "lovelace" } });
    const { code, out, of } = await examined({
      SMTP_URL: `smtp://ada:babbage@127.0.0.1:${strict.port}`,
      BASE_URL: "http://mail.example.com",
    });
    expect(code).toBe(1);
    expect(of("relay")).toMatchObject({ result: "fail", message: expect.stringContaining("AUTH") });
    expect(of("BASE_URL")).toMatchObject({ result: "fail" });
    expect(out).not.toContain("babbage");
  });

  test("looks at the key that signs", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const file = `${home.path}/dkim.pem`;
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
    await set(...COMPLETE, "dkimDomain=example.com", "dkimSelector=s1", `dkimPrivateKeyFile=${file}`);
    const smtp = { SMTP_URL: `smtp://127.0.0.1:${relay().port}`, BASE_URL: "https://mail.example.com" };
    expect((await examined(smtp)).of("DKIM key")).toMatchObject({
      result: "fail",
      message: `${file} is no RSA key, so nothing is sent`,
    });
    await set("dkimSelector=");
    expect((await examined(smtp)).of("DKIM")).toMatchObject({
      result: "fail",
      message: expect.stringContaining("dkimSelector"),
    });
  });

  test.skipIf(isElsewhere)("says what is damaged, foreign, absent or open to others", async () => {
    const file = `${home.path}/postrider.db`;
    const pages = readFileSync(file);
    chmodSync(file, 0o644);
    expect((await examined()).of("file modes")).toMatchObject({
      result: "warn",
      advice: `chmod go= ${file}`,
    });
    chmodSync(file, 0o600);
    writeFileSync(file, Buffer.from(pages).fill(0xff, pages.length - 8192));
    expect((await examined()).of("database")).toMatchObject({
      result: "fail",
      message: expect.stringContaining("damaged"),
    });
    writeFileSync(file, "no database at all, but a text".repeat(200));
    expect((await examined()).of("database")).toMatchObject({
      result: "fail",
      message: `${file} is no Postrider database`,
      advice: "put a good backup in its place: postrider restore BACKUP --force",
    });
    rmSync(file);
    expect((await examined()).of("database")).toMatchObject({
      result: "fail",
      message: expect.stringContaining("there is no database"),
      advice: null,
    });
    expect(() => statSync(file)).toThrow();
  });

  test.skipIf(isElsewhere)("says of every place without a database that there is none", async () => {
    const [file, circle] = [`${home.path}/file`, `${home.path}/circle`];
    writeFileSync(file, "");
    symlinkSync(circle, circle);
    mkdirSync(`${home.path}/data`);
    symlinkSync("postrider.db", `${home.path}/data/postrider.db`);
    for (const [place, says] of [
      [file, `${file} is no directory`],
      [`${file}/data`, `there is no ${file}/data`],
      [circle, `there is no ${circle}`],
      [`${home.path}/data`, `${home.path}/data can be written`],
    ] as const) {
      const { out } = await postrider(home.path, ["doctor", "--json", "--data-dir", place]);
      const found = JSON.parse(out) as Finding[];
      expect(found.find(({ id }) => id === "data_directory")?.message).toBe(says);
      expect(found.find(({ id }) => id === "database")).toMatchObject({
        result: "fail",
        message: expect.stringContaining(`there is no database in ${place}: `),
        advice: null,
      });
    }
  });

  describe.skipIf(isElsewhere)(
    "where SQLite says that the file is malformed, as it does of a read that failed",
    () => {
      const malformed = () =>
        Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });
      const looking = async (file: string, found: (look: number) => Promise<InspectedDatabase>) => {
        let looks = 0;
        const findings = await Array.fromAsync(
          examine(
            {
              dataDir: home.path,
              databasePath: file,
              baseUrl: "https://mail.example.com",
              host: "127.0.0.1",
              namesProxies: false,
              relays: null,
              inboundSmtp: null,
            },
            () => found(++looks),
            { dns: systemDns, clock: systemClock },
          ),
        );
        return findings.filter(({ id }) => id === "database");
      };

      test("looks again, and believes a second look that finds nothing", async () => {
        const file = `${home.path}/postrider.db`;
        const found = await looking(file, (look) =>
          look === 1 ? Promise.reject(malformed()) : inspect(file, systemClock.now()),
        );
        expect(found).toMatchObject([
          { result: "warn", advice: expect.stringContaining("its disk may be failing") },
          { result: "ok", message: "whole" },
        ]);
        expect(JSON.stringify(found)).not.toContain("restore");
      });

      test("calls it damaged where the disk gives all of it, and says that a restore keeps it", async () => {
        expect(await looking(`${home.path}/postrider.db`, () => Promise.reject(malformed()))).toMatchObject([
          {
            result: "fail",
            message: "damaged: database disk image is malformed",
            advice: "postrider restore BACKUP --force, which keeps this file beside the new one",
          },
        ]);
      });

      // Nothing is mapped at its beginning, and Linux says EIO, as of a disk that fails.
      const unreadable = "/proc/self/mem";
      test.skipIf(lacks("/proc", existsSync(unreadable), "they need Linux."))(
        "names the disk where it does not give all of the file",
        async () => {
          expect(await looking(unreadable, () => Promise.reject(malformed()))).toMatchObject([
            {
              result: "fail",
              message: "its disk cannot be read (EIO), so nobody knows whether it is damaged",
              advice: expect.stringMatching(/^see to the disk first/),
            },
          ]);
        },
      );
    },
  );

  test.skipIf(isElsewhere)("never offers a backup in the place of a healthy database", async () => {
    const sqlite = new Database(`${home.path}/postrider.db`);
    sqlite.run("INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999_later', 'x', 0)");
    expect((await examined()).of("database")).toMatchObject({
      result: "fail",
      message: expect.stringContaining("written by a newer Postrider"),
      advice: null,
    });
    sqlite.run("DELETE FROM schema_migrations WHERE name = '9999_later'");
    sqlite.run("PRAGMA locking_mode = EXCLUSIVE");
    sqlite.run("BEGIN EXCLUSIVE");
    expect((await examined()).of("database")).toMatchObject({
      result: "fail",
      message: "another process keeps it locked",
      advice: `try again when that process has ended; \`fuser ${home.path}/postrider.db\` names it`,
    });
    sqlite.close();
  });
});
