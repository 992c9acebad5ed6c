import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { callApi } from "../../support/server/api.ts";
import {
  keyOf,
  postriderProcess,
  startPostrider,
  temporaryDirectory,
} from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => (home = temporaryDirectory()));
afterEach(() => home.remove());

/** Ten commands that write, of different kinds, at once; what went wrong. */
async function tenAtOnce(workspace: string): Promise<string[]> {
  const commands = Array.from(
    { length: 10 },
    (_, i) =>
      [
        ["workspace", "create", "--name", `Workspace ${i}`],
        ["key", "create", "--name", `Key ${i}`, "--workspace", workspace],
        ["suppression", "add", `gone-${i}@example.com`, "--workspace", workspace],
        ["settings", "set", `fromName=Ada ${i}`, "--workspace", workspace],
      ][i % 4]!,
  );
  const ended = await Promise.all(commands.map((args) => postriderProcess(home.path, args)));
  return ended.filter(({ code }) => code !== 0).map(({ err }) => err);
}

/** A process that keeps the write lock for longer than a server would wait for it. */
async function holdLock(forMs: number): Promise<Bun.Subprocess> {
  const script = `
    const { Database } = require("bun:sqlite");
    const sqlite = new Database(${JSON.stringify(`${home.path}/postrider.db`)});
    sqlite.run("PRAGMA busy_timeout = 10000");
    sqlite.run("BEGIN IMMEDIATE");
    console.log("locked");
    setTimeout(() => { sqlite.run("ROLLBACK"); process.exit(0); }, ${forMs});`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  await holder.stdout.getReader().read();
  return holder;
}

test("ten commands at once beside a server that imports and answers all do what they were asked", async () => {
  const server = await startPostrider(home.path);
  try {
    const key = keyOf(server);
    const [{ id }] = JSON.parse((await postriderProcess(home.path, ["workspace", "list", "--json"])).out);
    const csv = `${home.path}/people.csv`;
    writeFileSync(csv, ["email", ...Array.from({ length: 5_000 }, (_, i) => `p${i}@example.com`)].join("\n"));
    const imported = postriderProcess(home.path, [
      "import",
      "contacts",
      csv,
      "--status",
      "SUBSCRIBED",
      "--workspace",
      id,
    ]);
    const stopped = new AbortController();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; !stopped.signal.aborted; i++)
        await callApi(`${server.url}/api/v1/contacts`, "POST", key, { email: `w${writer}-${i}@example.com` });
    });
    expect(await tenAtOnce(id)).toEqual([]);
    stopped.abort();
    await Promise.all(writers);
    expect((await imported).code).toBe(0);
    const all = JSON.parse((await postriderProcess(home.path, ["workspace", "list", "--json"])).out);
    expect(all).toHaveLength(4);
  } finally {
    await server.end("SIGKILL");
  }
});

test.skipIf(needsSqlite("it is about the lock of the file"))(
  "a command waits for its turn to write, however long an import or an upgrade keeps the lock",
  async () => {
    const made = await postriderProcess(home.path, ["workspace", "create", "--name", "Ada's", "--json"]);
    const { id } = JSON.parse(made.out);
    const holder = await holdLock(6_500);
    expect(await tenAtOnce(id)).toEqual([]);
    expect(await holder.exited).toBe(0);
  },
);

test.skipIf(needsSqlite("a database of PostgreSQL is made by somebody else"))(
  "commands that find no database make one together",
  async () => {
    const names = ["a", "b", "c", "d"];
    const ended = await Promise.all(
      names.map((name) => postriderProcess(home.path, ["workspace", "create", "--name", name])),
    );
    expect(ended.filter(({ code }) => code !== 0).map(({ err }) => err)).toEqual([]);
    const all = JSON.parse((await postriderProcess(home.path, ["workspace", "list", "--json"])).out);
    expect(all.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
  },
);
