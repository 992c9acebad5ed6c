/** `postrider user …`, the first start's link, and what a restored backup has of people. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  postrider,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const home = temporaryDirectory();
const at = home.path;
beforeAll(async () => {
  await run("workspace", "create", "--name", "First");
});
afterAll(() => home.remove());

const run = (...args: string[]) => postrider(at, args, { BASE_URL: "https://mail.example.com" });
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).out);

const LINK = /https:\/\/mail\.example\.com\/console\/welcome\/[A-Za-z0-9_-]{43}/;
const PASSWORD = "seven quiet lamps";

describe("postrider user", () => {
  test("add prints a link for somebody new, once, and no link with a password", async () => {
    const ada = await run("user", "add", "Ada@Example.com", "--role", "owner", "--password", PASSWORD);
    expect([ada.code, ada.err]).toEqual([0, ""]);
    expect(ada.out).toContain("ada@example.com");
    expect(ada.out).not.toMatch(LINK);
    const grace = await json("user", "add", "grace@example.com", "--role", "viewer");
    expect(grace).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: "grace@example.com",
      role: "viewer",
      createdAt: expect.any(String),
      lastSeenAt: null,
      link: expect.stringMatching(LINK),
    });
  });

  test("list shows everybody, with --json as an array", async () => {
    const listed = await json("user", "list");
    expect(listed.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
      ["grace@example.com", "viewer"],
      ["ada@example.com", "owner"],
    ]);
    expect((await run("user", "list")).out).toMatch(/viewer .* invited .* grace@example\.com/);
  });

  test("reset prints another link, and takes the password", async () => {
    expect((await json("user", "reset", "ada@example.com")).link).toMatch(LINK);
    const again = await run("user", "reset", "ada@example.com");
    expect([again.code, LINK.test(again.out)]).toEqual([0, true]);
  });

  test("add says how to get a new link for somebody who was only invited, without a reset of their account", async () => {
    const again = await run("user", "add", "grace@example.com", "--role", "viewer");
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining("postrider user remove grace@example.com"),
    ]);
  });

  test("remove takes somebody out, but never the last owner", async () => {
    expect((await run("user", "remove", "grace@example.com")).code).toBe(0);
    const last = await run("user", "remove", "ada@example.com");
    expect([last.code, last.err]).toEqual([1, expect.stringContaining("last owner")]);
    expect((await json("user", "list")).length).toBe(1);
  });

  test("says in one line what is wrong, and changes nothing", async () => {
    const wrong: [string[], number, string][] = [
      [
        ["user", "add", "ada@example.com", "--role", "viewer"],
        1,
        "ada@example.com is in this workspace already. For a new link: postrider user reset ada@example.com (it removes the password, codes and sessions too). The role is changed in the console's settings",
      ],
      [["user", "add", "no address", "--role", "viewer"], 2, "ADDRESS"],
      [["user", "add", "new@example.com"], 2, "--role must be one of owner, editor, viewer"],
      [["user", "add", "new@example.com", "--role", "boss"], 2, "--role must be one of"],
      [["user", "add", "new@example.com", "--role", "viewer", "--password", "short"], 2, "at least 10"],
      [["user", "reset", "nobody@example.com"], 1, "nobody@example.com"],
      [["user", "remove", "nobody@example.com"], 1, "nobody@example.com"],
      [["user", "list", "--workspace", "ws_nothing"], 1, "ws_nothing"],
    ];
    for (const [args, code, says] of wrong) {
      const ended = await run(...args);
      expect([args, ended.code, ended.out]).toEqual([args, code, ""]);
      expect(ended.err).toContain(says);
      expect(ended.err.trimEnd().split("\n")).toHaveLength(1);
    }
    expect((await json("user", "list")).length).toBe(1);
  });
});

test("the audit log tells what the command line did, and no value of a setting", async () => {
  await run("settings", "set", "fromName=Ada", "smtpUrl=smtp://user:secret@mail.example.com:587");
  const { id, key } = await json("key", "create", "--name", "Log");
  await run("suppression", "add", "somebody@example.com");
  await run("export", "contacts");
  const server = await startPostrider(at);
  const log = await ask(server, key, "/audit?limit=100");
  await server.end("SIGTERM");
  const told = log.map(({ who, what, target }: Record<string, string>) => `${who}: ${what} ${target}`);
  expect(told).toEqual([
    "command line: contacts_exported null",
    "command line: address_suppressed somebody@example.com",
    `command line: key_created ${id}`,
    "command line: settings_changed fromName, smtpUrl",
    "command line: person_removed grace@example.com",
    "command line: password_reset ada@example.com",
    "command line: password_reset ada@example.com",
    "command line: person_added grace@example.com",
    "command line: person_added ada@example.com",
  ]);
});

test("audit list prints the log, and with --strangers who tried addresses that nobody has", async () => {
  const [newest, ...others] = await json("audit", "list");
  expect(newest).toEqual({
    at: expect.any(String),
    who: "command line",
    what: "contacts_exported",
    target: null,
  });
  expect(others).toHaveLength(8);
  expect((await run("audit", "list")).out).toMatch(/settings_changed +command line +fromName, smtpUrl/);
  expect(await json("audit", "list", "--strangers")).toEqual([]);
  const server = await startPostrider(at);
  await fetch(`${server.url}/api/v1/session`, {
    method: "POST",
    body: JSON.stringify({ email: "stranger@example.com", password: PASSWORD }),
  });
  await server.end("SIGTERM");
  const [stranger, ...more] = await json("audit", "list", "--strangers");
  expect([stranger.who, stranger.what, more]).toEqual(["stranger@example.com", "sign_in_failed", []]);
  expect((await json("audit", "list")).length).toBe(9);
});

async function ask({ url }: RunningServer, key: string, path: string): Promise<any[]> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { data: any[] }).data;
}

describe("the first owner's link", () => {
  test("is printed by every start until somebody owns a workspace; only the newest works, once", async () => {
    const fresh = temporaryDirectory();
    const tokenIn = (text: string) => /console\/welcome\/([A-Za-z0-9_-]{43})/.exec(text)?.[1];
    const first = await startPostrider(fresh.path);
    const old = tokenIn(first.out());
    await first.end("SIGTERM");
    const second = await startPostrider(fresh.path);
    const token = tokenIn(second.out());
    expect([typeof old, typeof token, old === token]).toEqual(["string", "string", false]);
    const welcome = (text: string | undefined) =>
      fetch(`${second.url}/api/v1/welcome`, {
        method: "POST",
        body: JSON.stringify({ token: text, email: "owner@example.com", password: PASSWORD }),
      });
    expect((await welcome(old)).status).toBe(404);
    expect((await fetch(`${second.url}/console/welcome/${token}`)).status).toBeLessThan(500);
    expect((await welcome(token)).status).toBe(201);
    expect((await welcome(token)).status).toBe(404);
    await second.end("SIGTERM");
    const third = await startPostrider(fresh.path);
    expect(tokenIn(third.out())).toBeUndefined();
    await third.end("SIGTERM");
    fresh.remove();
  });
});

test.skipIf(needsSqlite("PostgreSQL has backups of its own"))(
  "a restored backup has its people, and signs nobody in",
  async () => {
    const [from, to] = [temporaryDirectory(), temporaryDirectory()];
    await postrider(from.path, ["workspace", "create", "--name", "First"]);
    await postrider(from.path, ["user", "add", "ada@example.com", "--role", "owner", "--password", PASSWORD]);
    await postrider(from.path, ["user", "add", "grace@example.com", "--role", "viewer"]);
    const server = await startPostrider(from.path);
    const signIn = (url: string) =>
      fetch(`${url}/api/v1/session`, {
        method: "POST",
        body: JSON.stringify({ email: "ada@example.com", password: PASSWORD }),
      });
    const cookie = (await signIn(server.url)).headers.get("set-cookie")!.split(";")[0]!;
    const here = (url: string) => fetch(`${url}/api/v1/session`, { headers: { cookie } });
    expect((await here(server.url)).status).toBe(200);
    const file = join(from.path, "backup.db");
    expect((await postrider(from.path, ["backup", file])).code).toBe(0);
    await server.end("SIGTERM");
    expect((await postrider(to.path, ["restore", file])).code).toBe(0);
    const restored = await startPostrider(to.path);
    expect((await here(restored.url)).status).toBe(401);
    expect((await signIn(restored.url)).status).toBe(200);
    await restored.end("SIGTERM");
    for (const directory of [from, to]) directory.remove();
  },
);

test("a link that begins with this machine's own name says so, once; one that needs none does not", async () => {
  const other = temporaryDirectory();
  const local = (...args: string[]) => postrider(other.path, ["user", ...args]);
  await postrider(other.path, ["workspace", "create", "--name", "Other"]);
  const added = await local("add", "linus@example.com", "--role", "viewer");
  const WARNING =
    "postrider: BASE_URL is not set here, so the link leads to http://localhost:8080: give --base-url, unless people reach the server there\n";
  expect([added.code, added.err]).toEqual([0, WARNING]);
  expect(added.out).toContain("http://localhost:8080/console/welcome/");
  expect(await local("reset", "linus@example.com", "--json")).toMatchObject({ code: 0, err: WARNING });
  const named = await local("reset", "linus@example.com", "--base-url", "http://localhost:8080");
  expect([named.code, named.err]).toEqual([0, ""]);
  await local("remove", "linus@example.com");
  const typed = ["--role", "viewer", "--password", PASSWORD];
  expect(await local("add", "linus@example.com", ...typed)).toMatchObject({ code: 0, err: "" });
  other.remove();
});
