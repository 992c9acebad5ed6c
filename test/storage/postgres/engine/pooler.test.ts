/** A real pgbouncer between: whoever prepares statements through one that changes connections gets wrong answers. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { refusedAs } from "#storage/postgres/engine/refused.ts";
import { lacksProgram } from "../../../support/common/needs.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { freePort, guarded } from "../../../support/storage/postgres-cluster.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const SET_BY_POSTRIDER = [
  "default_transaction_isolation",
  "synchronous_commit",
  "idle_in_transaction_session_timeout",
  "lock_timeout",
  "bytea_output",
  "array_nulls",
  "standard_conforming_strings",
  "tcp_keepalives_idle",
  "tcp_keepalives_interval",
  "tcp_keepalives_count",
  "tcp_user_timeout",
  "plan_cache_mode",
  "enable_seqscan",
  "enable_bitmapscan",
];

type Pooler = { readonly url: string; stop(): Promise<void> };

/** @param lines of its configuration beside what every one has */
async function pooler(database: TestDatabase, ...lines: readonly string[]): Promise<Pooler> {
  const directory = mkdtempSync(join(tmpdir(), "postrider-test-"));
  chmodSync(directory, 0o755);
  const { hostname, port: behind, pathname } = new URL(database.url);
  const port = freePort();
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(
    file,
    [
      "[databases]",
      `${pathname.slice(1)} = host=${hostname} port=${behind} user=postgres`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "auth_type = any",
      "unix_socket_dir =",
      ...lines,
    ].join("\n"),
  );
  const child = Bun.spawn(guarded(Bun.which("pgbouncer")!, "--quiet", file), {
    cwd: "/",
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = Object.assign(new URL(database.url), { hostname: "127.0.0.1", port: String(port) }).href;
  await eventually(() => answers(url));
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(directory, { recursive: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new SQL({ url, max: 1, prepare: false });
  try {
    await client.unsafe("SELECT 1").simple();
    return true;
  } catch {
    return false;
  } finally {
    await client.close({ timeout: 0 });
  }
}

const open = (url: string, prepare: boolean): Promise<PostgresDatabase> =>
  openPostgres(url, { clock: systemClock, random: systemRandom, prepare });

const refusal = (url: string, prepare: boolean): Promise<string | null> =>
  open(url, prepare).then(
    (database) => database.close().then(() => null),
    (error: unknown) => (refusedAs(error, url) as Error).message,
  );

describe.skipIf((await lacksPostgres()) || lacksProgram("pgbouncer", "setpriv"))("behind a pooler", () => {
  let home: TestDatabase;
  const running: Pooler[] = [];
  const started = async (...lines: readonly string[]): Promise<string> => {
    const one = await pooler(home, ...lines);
    running.push(one);
    return one.url;
  };
  const ignoring = `ignore_startup_parameters = ${SET_BY_POSTRIDER.join(",")}`;
  beforeAll(async () => {
    home = await migratedDatabase();
    const name = new URL(home.url).pathname.slice(1);
    const owner = new SQL({ url: home.url, max: 1 });
    // What a client may not set there, the database has.
    await owner.unsafe(`ALTER DATABASE "${name}" SET idle_in_transaction_session_timeout = '10s'`);
    await owner.close();
  });
  afterAll(async () => {
    for (const one of running) await one.stop();
    await home.drop();
  });

  test("that gives each transaction another connection, no statement is prepared: it is refused", async () => {
    const url = await started("pool_mode = transaction", ignoring);
    expect(await refusal(url, true)).toBe(
      "A pooler gives each transaction another connection: set DATABASE_PREPARE=off, or its pool mode to session.",
    );
  });

  test("that refuses our settings, it is said what to set", async () => {
    const url = await started("pool_mode = transaction");
    expect(await refusal(url, true)).toContain("set DATABASE_PREPARE=off");
  });

  test("that lets nobody in for another reason, the pooler's own words say why", async () => {
    const url = await started("pool_mode = transaction");
    const nowhere = Object.assign(new URL(url), { pathname: "/nowhere" }).href;
    const said = await refusal(nowhere, false);
    expect(said).toMatch(/does not let Postrider in: it says ".+"\. Its log says more\.$/);
    expect(said).not.toContain("DATABASE_PREPARE");
  });

  test("that keeps connections, statements are prepared", async () => {
    expect(await refusal(await started("pool_mode = session", ignoring), true)).toBeNull();
  });

  test("without prepared statements every answer is its own, however few connections there are", async () => {
    const url = await started("pool_mode = transaction", "default_pool_size = 2");
    const databases = await Promise.all([open(url, false), open(url, false)]);
    const asked = Array.from({ length: 300 }, async (_, n) => {
      const database = databases[n % 2]!;
      // Each is another statement.
      const read = await database.read(({ row }) => row<{ n: number }>(`SELECT ${n} + $1::int8 AS n`, [n]));
      const wrote = await database.write(({ row }) =>
        row<{ n: number }>(`SELECT ${-n} - $1::int8 AS n`, [n]),
      );
      return [read?.n, wrote?.n];
    });
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => [2 * n, -2 * n || 0]));
    for (const database of databases) await database.close();
  });
});
