import { SQL } from "bun";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { callApi } from "../../support/server/api.ts";
import { lacks } from "../../support/common/needs.ts";
import { NoPostgres, startCluster, type Cluster } from "../../support/storage/postgres-cluster.ts";
import {
  postrider,
  postriderProcess,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";

/** One of its own: the program refuses one that does not make commits durable, as the other tests have it. */
const cluster: Cluster | null = await startCluster([]).catch((error: unknown) => {
  if (error instanceof NoPostgres) return null;
  throw error;
});

describe.skipIf(lacks("PostgreSQL", cluster !== null, "`bun install` brings one for Linux."))(
  "two servers of one PostgreSQL",
  () => {
    const homes = [temporaryDirectory(), temporaryDirectory()] as const;
    const variables = { DATABASE_URL: cluster?.url ?? "" };
    const servers: RunningServer[] = [];
    let key = "";

    beforeAll(async () => {
      // Both start on an empty database at the same time: one of them makes the schema and the workspace.
      servers.push(...(await Promise.all(homes.map(({ path }) => startPostrider(path, [], variables)))));
      key = /API key {4}(\S+)/.exec(servers.map((server) => server.out()).join(""))?.[1] ?? "";
    });
    afterAll(async () => {
      for (const server of servers) await server.end("SIGKILL");
      for (const home of homes) home.remove();
    });

    const call = (which: number, method: string, path: string, body?: unknown) =>
      callApi(`${servers[which]!.url}/api/v1${path}`, method, key, body);

    test("make one workspace, and say where the data is, without the password", () => {
      const printed = servers.map((server) => server.out());
      expect(printed.filter((text) => text.includes("First start"))).toHaveLength(1);
      for (const text of printed) expect(text).toMatch(/Data +PostgreSQL at 127\.0\.0\.1:\d+\/postgres/);
      const lines = printed.join("");
      expect(lines).toContain("into a shell that has the server's DATABASE_URL:");
      expect(lines).toContain("settings set 'mailingAddress=");
    });

    test("see what the other did, and so does a command", async () => {
      const made = await call(0, "POST", "/contacts", { email: "ada@example.com" });
      expect(made.status).toBe(201);
      const found = await call(1, "GET", `/contacts/${made.body.data.id}`);
      expect(found.body.data.email).toBe("ada@example.com");
      const listed = await postrider(homes[0].path, ["workspace", "list", "--json"], variables);
      expect(JSON.parse(listed.out)).toHaveLength(1);
    });

    test("do not share a data directory: a second one there says who has it, and ends", async () => {
      const { code, out, err } = await postriderProcess(homes[0].path, ["serve"], variables);
      expect({ code, out, lines: err.trim().split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
      expect(err).toContain(
        `${homes[0].path} is in use by another Postrider server (process ${servers[0]!.pid}, `,
      );
      expect(err).toContain("or choose another --data-dir.");
      const health = (await (await fetch(`${servers[0]!.url}/health`)).json()) as { status: string };
      expect(health.status).toBe("ok");
    });

    test("go on when one of them ends", async () => {
      expect(await servers[0]!.end("SIGTERM")).toBe(0);
      expect((await call(1, "GET", "/contacts")).body.data).toHaveLength(1);
      const health = (await (await fetch(`${servers[1]!.url}/health`)).json()) as { status: string };
      expect(health.status).toBe("ok");
    });

    test("the doctor says what the server is; a start under a clock that was ahead is long over", async () => {
      const sql = new SQL(cluster!.url);
      await sql`INSERT INTO nodes (id, name, version, started_at, fenced_at, swept_at)
        VALUES (0, 'ahead', '0', ${Date.now() + 365 * DAY_MS}, 0, 0)`;
      await sql.end();
      const { out } = await postrider(homes[0].path, ["doctor", "--json"], variables);
      const all = JSON.parse(out) as { id: string; result: string; message: string }[];
      expect(all.find(({ id }) => id === "clock")).toMatchObject({ result: "ok" });
      const found = all.slice(0, 3);
      expect(found.map(({ id, result }) => `${id} ${result}`)).toEqual([
        "database ok",
        "durability ok",
        "replicas ok",
      ]);
      expect(found[0]!.message).toMatch(/^PostgreSQL \d+/);
    });

    test("commands on files say what to use instead", async () => {
      for (const command of ["backup", "restore"]) {
        const { code, err } = await postrider(homes[0].path, [command, "file"], variables);
        expect({ code, lines: err.trim().split("\n").length }).toEqual({ code: 2, lines: 1 });
        expect(err).toContain("DATABASE_URL");
      }
    });
  },
);

describe.skipIf(cluster === null)("an empty database", () => {
  const home = temporaryDirectory();
  const url = new URL(cluster?.url ?? "postgres://nobody@nowhere/none");
  url.pathname = "/anew";
  const variables = { DATABASE_URL: url.href };
  const asOwner = async (statement: string): Promise<unknown[]> => {
    const sql = new SQL(cluster!.url);
    const rows: unknown[] = await sql.unsafe(statement);
    await sql.end();
    return rows;
  };
  const makeEmpty = async (): Promise<void> => {
    await asOwner("DROP DATABASE IF EXISTS anew WITH (FORCE)");
    await asOwner("CREATE DATABASE anew");
  };
  const refusal = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await postriderProcess(home.path, words, variables);
    expect({ code, out, lines: err.trim().split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
    return err;
  };
  afterAll(async () => {
    home.remove();
    await cluster?.stop();
  });

  test("stays empty under a command that only looks, and is made by those that begin one", async () => {
    await makeEmpty();
    for (const words of [
      ["workspace", "list"],
      ["move", "--to", join(home.path, "elsewhere")],
      ["move", "--take-back"],
    ])
      expect(await refusal(...words)).toContain("is empty: start the server once");
    const { out } = await postriderProcess(home.path, ["migrate", "--check", "--json"], variables);
    expect((JSON.parse(out) as { pending: string[] }).pending).not.toEqual([]);
    expect((await postriderProcess(home.path, ["migrate"], variables)).code).toBe(0);
    const again = await postriderProcess(home.path, ["migrate", "--check", "--json"], variables);
    expect(JSON.parse(again.out)).toEqual({ pending: [] });
    await makeEmpty();
    expect((await postriderProcess(home.path, ["workspace", "create", "--name", "A"], variables)).code).toBe(
      0,
    );
  });

  test("is not begun anew where a server had one, until a person says so", async () => {
    const server = await startPostrider(home.path, [], variables);
    await server.end("SIGTERM");
    await makeEmpty();
    const record = join(home.path, "database.json");
    for (const words of [
      ["serve"],
      ["workspace", "list"],
      ["workspace", "create", "--name", "A"],
      ["migrate"],
    ])
      expect(await refusal(...words)).toContain(`remove ${record} first`);
    const { out } = await postriderProcess(home.path, ["doctor"], variables);
    expect(out).toContain(`remove ${record} first`);
    await unlink(record);
    const anew = await startPostrider(home.path, [], variables);
    expect(anew.out()).toContain("First start");
    await anew.end("SIGTERM");
  });
});

test("a database that cannot be opened is told in one line without the password", async () => {
  const home = temporaryDirectory();
  const { code, out, err } = await postrider(home.path, ["workspace", "list"], {
    DATABASE_URL: "postgres://ada:secret-word@127.0.0.1:1/postrider",
  });
  expect({ code, out, lines: err.trim().split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
  expect(err).toContain("127.0.0.1:1");
  expect(err).not.toContain("secret-word");
  for (const url of ["mysql://a@b/c", "postgres://host", "postgres://a@host:5432", "secret-word"]) {
    const wrong = await postrider(home.path, ["workspace", "list"], { DATABASE_URL: url });
    expect({ code: wrong.code, says: wrong.err.startsWith("postrider: DATABASE_URL: ") }).toEqual({
      code: 2,
      says: true,
    });
    expect(wrong.err).not.toContain("secret-word");
  }
  home.remove();
});
