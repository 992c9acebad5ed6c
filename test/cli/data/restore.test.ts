import { beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { openServices } from "#app/services.ts";
import { systemRandom } from "#core/random.ts";
import { systemClock } from "#core/time/clock.ts";
import { lacks } from "../../support/common/needs.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { callApi } from "../../support/server/api.ts";
import { calling, makeDatabase, readDatabase, valueIn } from "../../support/server/backups.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { keyOf, postrider } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const isElsewhere = needsSqlite("PostgreSQL has backups of its own");

/** The server's user. */
const SERVER = 12_345;

const at = freshHomes();
let file = "";
beforeEach(() => {
  file = `${at.other}/backup.db`;
});

describe.skipIf(isElsewhere)("a restored backup", () => {
  test("sends nothing of what was under way until it is released, and keeps the database it replaced", async () => {
    const relay = scriptedSmtp({
      on: { RCPT: ({ message }) => (message > 3 ? "451 4.3.0 Later" : undefined) },
    });
    at.atEnd(() => relay.stop());
    const smtp = ["--smtp-url", relay.url];
    const server = await at.start(...smtp);
    const key = keyOf(server);
    const call = calling(server, key);
    await postrider(at.home, [
      "settings",
      "set",
      "fromEmail=news@example.com",
      "mailingAddress=1 Example Street",
    ]);
    const list = await call("POST", "/lists", { name: "Readers" });
    const contactIds: string[] = [];
    for (let i = 0; i < 8; i++)
      contactIds.push((await call("POST", "/contacts", { email: `reader-${i}@example.com` })).id);
    await call("POST", `/lists/${list.id}/contacts`, { contactIds });
    const campaign = await call("POST", "/campaigns", {
      name: "A",
      subject: "A",
      body: "<p>A</p>",
      listId: list.id,
    });
    const sending = call("POST", `/campaigns/${campaign.id}/send`).catch(() => null);
    await relay.reached("RCPT", 4);
    expect((await postrider(at.home, ["backup", file])).code).toBe(0);
    await server.end("SIGTERM");
    await sending;
    const delivered = relay.accepted.length;
    expect(delivered).toBe(3);
    const original = valueIn(`${at.home}/postrider.db`, "SELECT count(*) FROM runs");

    const restored = await postrider(at.home, ["restore", file, "--force", "--json"]);
    expect([restored.code, restored.err]).toEqual([0, ""]);
    const { kept } = JSON.parse(restored.out);
    expect(valueIn(kept, "SELECT count(*) FROM runs")).toBe(original);
    expect(valueIn(`${at.home}/postrider.db`, "PRAGMA integrity_check")).toBe("ok");

    const next = await at.start(...smtp);
    expect(next.out()).toContain("HELD");
    const callNext = calling(next, key);
    expect(await callNext("POST", `/campaigns/${campaign.id}/send`)).toMatchObject({ sent: 0 });
    expect((await callNext("GET", `/campaigns/${campaign.id}/report`)).blocked).not.toBeNull();
    await next.end("SIGTERM");
    expect(relay.accepted.length).toBe(delivered);
    expect((await postrider(at.home, ["campaign", "release", campaign.id])).code).toBe(0);
  });

  test("leaves a key revoked that was revoked since, and says what else is as it was", async () => {
    await makeDatabase(at.home);
    const ofKey = async (...args: string[]) =>
      JSON.parse((await postrider(at.home, ["key", ...args, "--json"])).out);
    const [stolen, other] = [
      await ofKey("create", "--name", "Stolen"),
      await ofKey("create", "--name", "Other"),
    ];
    expect((await postrider(at.home, ["backup", file])).code).toBe(0);
    await ofKey("revoke", stolen.id);
    const revokedAt = "SELECT revoked_at FROM api_keys WHERE name = 'Stolen'";
    const before = valueIn(`${at.home}/postrider.db`, revokedAt);
    const restored = await postrider(at.home, ["restore", file, "--force"]);
    expect([restored.code, restored.err]).toEqual([0, ""]);
    expect(restored.out).toContain("1 API key that was revoked since then stays revoked");
    expect(restored.out).toContain("passwords");
    expect([typeof before, valueIn(`${at.home}/postrider.db`, revokedAt)]).toEqual(["number", before]);
    const server = await at.start();
    const asks = async (key: string) => (await callApi(`${server.url}/api/v1/lists`, "GET", key)).status;
    expect([await asks(stolen.key), await asks(other.key)]).toEqual([401, 200]);
    await server.end("SIGTERM");

    // Where there is no database to read, all keys of the backup are good again.
    const empty = `${at.other}/elsewhere`;
    const elsewhere = await postrider(empty, ["restore", file]);
    expect(elsewhere.out).toContain("API keys that were revoked since then are good again");
    expect(valueIn(`${empty}/postrider.db`, revokedAt)).toBeNull();
  });

  test("holds every schedule, also one that is still to come, and lists what it holds", async () => {
    const relay = scriptedSmtp();
    at.atEnd(() => relay.stop());
    const smtp = ["--smtp-url", relay.url];
    const server = await at.start(...smtp);
    const key = keyOf(server);
    const call = calling(server, key);
    const sender = ["fromEmail=news@example.com", "mailingAddress=1 Example Street"];
    const mailbox = "bounceMailbox=imaps://bounces:secret@imap.example.invalid/INBOX";
    await postrider(at.home, ["settings", "set", ...sender]);
    const list = await call("POST", "/lists", { name: "Readers" });
    const reader = await call("POST", "/contacts", { email: "ada@example.com" });
    await call("POST", `/lists/${list.id}/contacts`, { contactId: reader.id });
    const draft = { name: "Spring", subject: "Spring", body: "<p>Spring</p>", listId: list.id };
    const { id } = await call("POST", "/campaigns", draft);
    const scheduledAt = "2040-01-01T00:00:00.000Z";
    await call("POST", `/campaigns/${id}/schedule`, { scheduledAt });
    await postrider(at.home, ["settings", "set", mailbox]);
    expect((await postrider(at.home, ["backup", file])).code).toBe(0);
    await postrider(at.home, ["settings", "set", "bounceMailbox="]);
    // After the backup a person sends it by hand: at its time it would go out again.
    expect(await call("POST", `/campaigns/${id}/send`)).toMatchObject({ sent: 1 });
    await server.end("SIGTERM");

    const restored = await postrider(at.home, ["restore", file, "--force", "--json"]);
    const [held, ...more] = JSON.parse(restored.out).held;
    expect([held, more]).toEqual([
      { kind: "campaign", id, name: "Spring", workspaceId: held.workspaceId, why: "scheduled", scheduledAt },
      [
        {
          kind: "mailbox",
          id: "bounceMailbox",
          name: "imaps://bounces:***@imap.example.invalid/INBOX",
          workspaceId: held.workspaceId,
          why: "read",
          scheduledAt: null,
        },
      ],
    ]);
    const again = await postrider(at.home, ["restore", file, "--force"]);
    expect(again.out).toMatch(new RegExp(`campaign +${id} +scheduled +${scheduledAt} +ws_\\w+ +Spring`));
    const next = await at.start(...smtp);
    expect(next.out()).toContain("postrider settings set bounceMailbox");
    expect((await postrider(at.home, ["settings", "get", "bounceMailbox"])).out.trim()).toBe("");
    const { blocked } = await calling(next, key)("GET", `/campaigns/${id}/report`);
    expect(blocked).toContain(`postrider campaign release ${id}`);
    expect(relay.accepted.length).toBe(1);
  });

  test("works in an empty directory, keys and old links included, and holds there too", async () => {
    const server = await at.start();
    const key = keyOf(server);
    const ada = { email: "ada@example.com", attributes: { city: "Zürich", orders: 3 } };
    await calling(server, key)("POST", "/contacts", ada);
    await postrider(at.home, ["backup", file]);
    const empty = `${at.other}/new home`;
    // As the only copy that there is may be kept.
    chmodSync(file, 0o444);
    expect((await postrider(empty, ["restore", file])).code).toBe(0);
    expect(statSync(`${empty}/postrider.db`).mode & 0o777).toBe(0o600);
    const secret = "SELECT hex(signing_secret) FROM instance";
    expect(valueIn(`${empty}/postrider.db`, secret)).toBe(valueIn(file, secret));
    const next = await at.startOn(empty);
    expect(next.out()).not.toContain("First start");
    expect(next.err()).toContain("there is no run record");
    expect(await calling(next, key)("GET", "/contacts?include=attributes")).toMatchObject([ada]);
  });
});

test.skipIf(isElsewhere || lacks("root", process.getuid?.() === 0, "run them as root."))(
  "a restore by root gives all that it makes to whose the data directory is, or the server could not open it",
  async () => {
    await makeDatabase(at.other);
    await postrider(at.other, ["backup", file]);
    chownSync(at.home, SERVER, SERVER);
    const owners = (): unknown[] =>
      readdirSync(at.home).map((name) => {
        const { uid, gid, mode } = statSync(`${at.home}/${name}`);
        return [name, uid, gid, mode & 0o077];
      });
    for (const force of [[], ["--force"]]) {
      expect(await postrider(at.home, ["restore", file, ...force])).toMatchObject({ code: 0, err: "" });
      const names = readdirSync(at.home);
      expect(names).toContain("postrider.db");
      expect(owners()).toEqual(names.map((name) => [name, SERVER, SERVER, 0]));
    }
    expect(statSync(file).uid).toBe(0);
  },
);

test.skipIf(isElsewhere)(
  "what a restore replaced after a crash is whole, and can be restored itself",
  async () => {
    const server = await at.start();
    const call = calling(server, keyOf(server));
    await postrider(at.home, ["backup", file]);
    await call("POST", "/contacts", { email: "ada@example.com" });
    await server.end("SIGKILL");
    expect(statSync(`${at.home}/postrider.db-wal`).size).toBeGreaterThan(0);
    const count = "SELECT count(*) FROM contacts";
    const { kept } = JSON.parse((await postrider(at.home, ["restore", file, "--force", "--json"])).out);
    expect(readdirSync(at.home).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
    expect(valueIn(`${at.home}/postrider.db`, count)).toBe(0);
    expect(await postrider(at.home, ["restore", kept, "--force"])).toMatchObject({ code: 0, err: "" });
    expect(valueIn(`${at.home}/postrider.db`, count)).toBe(1);
  },
);

describe.skipIf(isElsewhere)("nothing is restored, and nothing changed", () => {
  const files = (dataDir: string) =>
    Object.fromEntries(readdirSync(dataDir).map((name) => [name, statSync(`${dataDir}/${name}`).ino]));

  async function refused(says: string, args: readonly string[], dataDir = at.home): Promise<void> {
    const before = files(dataDir);
    const content = readFileSync(`${dataDir}/postrider.db`);
    const ended = await postrider(dataDir, ["restore", ...args]);
    expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining(says) });
    const { ["server.lock"]: _lock, ...after } = files(dataDir);
    const { ["server.lock"]: _before, ...wanted } = before;
    expect(after).toEqual(wanted);
    // A server that runs brings its log into the file now and then.
    const isServed = says.startsWith("process ");
    if (!isServed) expect(readFileSync(`${dataDir}/postrider.db`).equals(content)).toBe(true);
  }

  test("while a server runs, or over data without --force", async () => {
    const server = await at.start();
    const key = keyOf(server);
    await postrider(at.home, ["backup", file]);
    await calling(server, key)("POST", "/contacts", { email: "ada@example.com" });
    await refused(`process ${server.pid}`, [file, "--force"]);
    expect(await calling(server, key)("GET", "/contacts")).toMatchObject([{ email: "ada@example.com" }]);
    await server.end("SIGTERM");
    await refused("--force", [file]);
    const killed = await at.start();
    await killed.end("SIGKILL");
    await postrider(at.home, ["restore", file]);
    expect(existsSync(`${at.home}/server.json`)).toBe(true);
  });

  test("while a command has the database open: it would write on into what nobody reads", async () => {
    await makeDatabase(at.home);
    await postrider(at.home, ["backup", file]);
    const command = openServices(at.home, { clock: systemClock, random: systemRandom, log: SILENT_LOG });
    // Not by `refused`: a process that reads a file of its own database loses its locks on it.
    expect(await postrider(at.home, ["restore", file, "--force"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("a command still uses"),
    });
    await command.close();
    expect(Object.keys(files(at.home)).filter((name) => name.includes("replaced"))).toEqual([]);
    expect((await postrider(at.home, ["restore", file, "--force"])).code).toBe(0);
  });

  test("from what is no good backup", async () => {
    await makeDatabase(at.home);
    await postrider(at.home, ["backup", file]);
    // A backup's thread closes its connection before the command ends, and takes the log away with it.
    expect(readdirSync(at.home).filter((name) => name.startsWith("postrider.db-"))).toEqual([]);
    const good = readFileSync(file);
    const fileOf = (name: string, bytes: Uint8Array | string): string => {
      writeFileSync(`${at.other}/${name}`, bytes);
      return `${at.other}/${name}`;
    };
    await refused("there is no file", [`${at.other}/none.db`, "--force"]);
    await refused("is not an ordinary file", [at.other, "--force"]);
    await refused("is no Postrider database", [fileOf("text", "Dear Ada, ".repeat(1000)), "--force"]);
    await refused("is no Postrider database", [fileOf("empty", ""), "--force"]);
    await refused("damaged", [fileOf("half", good.subarray(0, good.length / 2)), "--force"]);
    await refused("damaged", [fileOf("holed", Buffer.from(good).fill(0xff, good.length - 8192)), "--force"]);
    fileOf("in-use-wal", "not merged yet");
    await refused("is a database in use", [fileOf("in-use", good), "--force"]);
    await refused("the database itself", [`${at.home}/postrider.db`, "--force"]);
    copyFileSync(file, `${at.other}/newer`);
    readDatabase(`${at.other}/newer`, (sqlite) =>
      sqlite.run("INSERT INTO schema_migrations VALUES ('9999_future', 'x', 0)"),
    );
    await refused("newer Postrider", [`${at.other}/newer`, "--force"]);
    expect(existsSync(`${at.home}/postrider.db.part`)).toBe(false);
  });
});
