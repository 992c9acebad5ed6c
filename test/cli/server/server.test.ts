import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { lacks } from "../../support/common/needs.ts";
import { callApi } from "../../support/server/api.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  keyOf,
  freePort,
  placeOf,
  postrider,
  postriderProcess,
  PROGRAM,
} from "../../support/server/postrider.ts";
import { isPostgres, needsSqlite } from "../../support/server/services.ts";

const at = freshHomes();

test("the first start prints a workspace and a key, a later one neither; SIGTERM and SIGINT end in order", async () => {
  const first = await at.start();
  expect(first.out()).toMatch(/Workspace +ws_\w+\n +API key +pr_[\w-]{43} /);
  expect(first.out()).toContain("captured, not delivered");
  expect(await first.end("SIGTERM")).toBe(0);
  const files = [
    "captured",
    ...(isPostgres ? ["database.json"] : ["postrider.db", "run.json"]),
    "server.lock",
  ];
  expect(readdirSync(at.home).toSorted()).toEqual(files);

  const second = await at.start();
  expect(second.out()).not.toMatch(/pr_|ws_|HELD/);
  expect(await second.end("SIGINT")).toBe(0);
});

test.skipIf(needsSqlite("several servers share a database of PostgreSQL"))(
  "a second server on the data directory is refused and named the first; a killed one lets the next in",
  async () => {
    const first = await at.start();
    const refused = await Promise.all(
      [freePort(), freePort()].map((port) => postriderProcess(at.home, ["--port", String(port)])),
    );
    for (const { code, out, err } of refused) {
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(`process ${first.pid}`);
      expect(err.trimEnd().split("\n")).toHaveLength(1);
    }
    expect((await fetch(`${first.url}/health`)).status).toBe(200);

    await first.end("SIGKILL");
    const next = await at.start();
    expect(next.out()).not.toContain("HELD");
    expect(JSON.parse(readFileSync(`${at.home}/server.json`, "utf8")).pid).toBe(next.pid);
  },
);

test.skipIf(needsSqlite("the first that is missing there is another file"))(
  "a data directory that cannot be one is named with the reason, in words",
  async () => {
    const path = at.home;
    await Bun.write(`${path}/file`, "");
    symlinkSync("a disk that is not mounted", `${path}/link`);
    for (const [place, why] of [
      ["file", "it is a file or a link to nothing, not a directory"],
      ["link", "it is a file or a link to nothing, not a directory"],
      ["file/inside", "a part of its name is a file, not a directory"],
      ["n".repeat(300), "its name is too long"],
    ] as const) {
      const { code, err, out } = await postriderProcess(`${path}/${place}`, ["--port", String(freePort())]);
      expect([code, err, out]).toEqual([1, `postrider: ${path}/${place}: ${why}\n`, ""]);
    }
  },
);

test("a port in use is one line and exit code 1, and lets the next server in", async () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const ended = await postriderProcess(at.home, ["--port", String(listener.port)]);
  listener.stop(true);
  expect(ended).toMatchObject({ code: 1, out: "" });
  expect(ended.err).toBe(
    `postrider: port ${listener.port} on 127.0.0.1 is in use: stop what uses it, or choose another --port\n`,
  );
  expect((await at.start()).out()).toContain("First start");
});

test.each([
  [["--host", "192.0.2.1", "--port", "8099"], "port 8099 on 192.0.2.1"],
  [["--host", "mail.invalid", "--port", "8099"], "port 8099 on mail.invalid"],
  [["--inbound-smtp", "192.0.2.1:8099"], "INBOUND_SMTP: 192.0.2.1:8099"],
  [["--inbound-smtp", "mail.invalid:8099"], "INBOUND_SMTP: mail.invalid:8099"],
])("an address that this machine does not have is told in words: %j", async (flags, what) => {
  const place = flags.includes("--port") ? [] : ["--port", String(freePort())];
  const ended = await postriderProcess(at.home, [...flags, ...place]);
  expect([ended.code, ended.err.trimEnd().split("\n").at(-1)]).toEqual([
    1,
    `postrider: ${what} cannot be listened on: this machine has no such address (0.0.0.0 stands for all that it has)`,
  ]);
});

test("the lines that the first start prints take a newcomer to a sent campaign", async () => {
  const server = await at.start();
  const script = server.out().slice(server.out().indexOf("To try it")).split("\n").slice(1).join("\n");
  const env = { ...process.env, ...(await placeOf(at.home)) };
  const shell = Bun.spawn(["sh", "-e"], { env, stdin: new Blob([script]), stdout: "pipe", stderr: "pipe" });
  const out = await new Response(shell.stdout).text();
  expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ""]);
  expect(out).toContain('"sent":1,"failed":0,"remaining":0,"complete":true');
  expect(JSON.parse(out.trimEnd().split("\n").at(-2)!).data).toMatchObject({
    status: "SENT",
    stat: { sent: 1 },
  });
});

/** The key of a server's first start, and a campaign to one person that may be sent. */
async function withCampaign(server: Awaited<ReturnType<typeof at.start>>) {
  const key = keyOf(server);
  await postrider(at.home, [
    "settings",
    "set",
    "fromEmail=news@example.com",
    "mailingAddress=1 Example Street",
  ]);
  const call = async (method: string, path: string, body?: unknown) =>
    (await callApi(`${server.url}/api/v1${path}`, method, key, body)).body.data;
  const list = await call("POST", "/lists", { name: "Newsletter" });
  const ada = await call("POST", "/contacts", { email: "ada@example.com" });
  await call("POST", `/lists/${list.id}/contacts`, { contactId: ada.id });
  const letter = { name: "A", subject: "A", body: "<p>A</p>", listId: list.id };
  return { key, call, campaign: await call("POST", "/campaigns", letter) };
}

test.skipIf(needsSqlite("it puts a file back"))(
  "a copy put back after its original went on is held and says so; releasing lets it go",
  async () => {
    const server = await at.start();
    const { key, call, campaign } = await withCampaign(server);
    await call("POST", `/campaigns/${campaign.id}/schedule`, { scheduledAt: "2096-01-01T00:00:00Z" });
    await server.end("SIGTERM");

    const copy = readFileSync(`${at.home}/postrider.db`);
    const second = await at.start();
    await callApi(`${second.url}/api/v1/lists`, "POST", key, { name: "Later" });
    await second.end("SIGTERM");
    await Bun.write(`${at.home}/postrider.db`, copy);
    const { Database } = await import("bun:sqlite");
    const database = new Database(`${at.home}/postrider.db`);
    database.run("UPDATE campaigns SET scheduled_at = 1000, next_try_at = 1000");
    database.close();

    const third = await at.start();
    expect(third.out()).toContain("HELD: the database is older than its run record");
    expect(third.out()).toContain("PATCH /webhooks/ID");
    expect((await postrider(at.home, ["campaign", "release", campaign.id])).code).toBe(0);
    expect((await postrider(at.home, ["campaign", "release", campaign.id])).code).toBe(1);
  },
);

test("SIGTERM does not wait for a relay that says nothing, and what it owes stays owed", async () => {
  let connected = (): void => undefined;
  const relayAsked = new Promise<void>((resolve) => (connected = resolve));
  const relay = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open: connected, data() {} } });
  const server = await at.start("--smtp-url", `smtp://127.0.0.1:${relay.port}`);
  const { key, call, campaign } = await withCampaign(server);
  const sending = call("POST", `/campaigns/${campaign.id}/send`).catch(() => "cut off");
  await relayAsked;
  expect(await server.end("SIGTERM")).toBe(0);
  relay.stop(true);
  expect(await sending).not.toMatchObject({ complete: true });

  const next = await at.start();
  const campaignNow = async () =>
    (await callApi(`${next.url}/api/v1/campaigns/${campaign.id}`, "GET", key)).body.data;
  let now = await campaignNow();
  while (now.status !== "SENT") now = await campaignNow();
  expect(now.stat).toMatchObject({ sent: 1, bounced: 0 });
});

/** Starts a server behind a line of `sh`, and resolves when it answers or has ended. */
async function startedBy(line: string) {
  const port = freePort();
  const env = { ...process.env, ...(await placeOf(at.home)), DATA_DIR: at.home };
  const words = ["sh", "-c", line, "sh", ...PROGRAM, "--port", String(port)];
  const child = Bun.spawn(words, { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  at.atEnd(() => {
    child.kill("SIGKILL");
    return child.exited;
  });
  const health = () => fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
  await eventually(async () => child.exitCode !== null || (await health())?.status === 200);
  return {
    end: (signal: NodeJS.Signals): Promise<number> => {
      child.kill(signal);
      return child.exited;
    },
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    err: new Response(child.stderr).text(),
  };
}

const lacksFull = lacks("/dev/full", existsSync("/dev/full"), "only Linux has it.");
test.skipIf(lacksFull)("a standard output that is full keeps no server from running", async () => {
  const server = await startedBy('exec "$@" >/dev/full');
  expect([await server.end("SIGTERM"), await server.err]).toEqual([
    0,
    expect.stringMatching(/could not be shown on standard output.*nobody has seen the first API key/),
  ]);
});

test.skipIf(lacksFull)(
  "the end of its terminal ends it in order, unless it was started by nohup",
  async () => {
    const server = await startedBy('exec "$@"');
    // The shell and the system both say it.
    server.signal("SIGHUP");
    expect([await server.end("SIGHUP"), await server.err]).toEqual([0, expect.stringContaining('"SIGHUP"')]);
    const other = await startedBy("trap '' HUP; exec \"$@\"");
    other.signal("SIGHUP");
    expect([await other.end("SIGTERM"), await other.err]).toEqual([
      0,
      expect.not.stringContaining('"SIGHUP"'),
    ]);
  },
);

test("what is left of a backup and cannot be cleared away is told, and keeps no server from starting", async () => {
  const left = `20260105T090000.000Z-bak_${"0".repeat(26)}.db.part`;
  mkdirSync(`${at.home}/backups/${left}`, { recursive: true });
  const server = await at.start();
  expect([server.err(), await server.end("SIGTERM")]).toEqual([expect.stringContaining(left), 0]);
});

test("a second signal, a second later, ends at once what the first one waits for", async () => {
  const server = await at.start();
  const key = keyOf(server);
  const half = `POST /api/v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{`;
  const { hostname, port } = new URL(server.url);
  const client = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
  client.write(half);
  client.flush();
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  const ended = server.end("SIGTERM");
  const asking = setInterval(() => void server.end("SIGINT"), 100);
  expect(await ended).toBe(130);
  clearInterval(asking);
  client.end();
});

test("one Ctrl-C that arrives twice, from the terminal and from what runs the server, ends it in order", async () => {
  const server = await at.start();
  process.kill(server.pid, "SIGINT");
  expect(await server.end("SIGTERM")).toBe(0);
});
