import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { MigrationError, type Migration } from "#storage/common/engine/migrations.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { DatabaseRefused } from "#storage/postgres/engine/refused.ts";
import { migrate } from "#storage/postgres/schema/migrate.ts";
import { MIGRATIONS } from "#storage/postgres/schema/migrations.gen.ts";
import { eventually } from "../../support/common/eventually.ts";
import { emptyDatabase, lacksPostgres, type TestDatabase } from "../../support/storage/postgres.ts";

const FIRST: Migration = {
  name: "0001_first",
  sql: "CREATE TABLE one (n int8);\nINSERT INTO one VALUES (1);",
};
const SECOND: Migration = { name: "0002_second", sql: "CREATE TABLE two AS SELECT n + 1 AS n FROM one" };

let home: TestDatabase;
let client: SQL;

const tables = async (): Promise<string[]> => {
  const found: { name: string }[] = await client.unsafe(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return found.map(({ name }) => name);
};

describe.skipIf(await lacksPostgres())("PostgreSQL's schema", () => {
  beforeEach(async () => {
    home = await emptyDatabase();
    client = new SQL({ url: home.url, max: 4 });
  });
  afterEach(async () => {
    await client.close();
    await home.drop();
  });

  test("gets what is missing, in order, and each only once", async () => {
    expect(await migrate(client, [FIRST], 5)).toEqual(["0001_first"]);
    expect(await migrate(client, [FIRST, SECOND], 6)).toEqual(["0002_second"]);
    expect(await migrate(client, [FIRST, SECOND], 7)).toEqual([]);
    expect(await tables()).toEqual(["one", "schema_migrations", "two"]);
    const kept = await client.unsafe(
      "SELECT name, applied_at::float8 AS at FROM schema_migrations ORDER BY name",
    );
    expect([...kept]).toEqual([
      { name: "0001_first", at: 5 },
      { name: "0002_second", at: 6 },
    ]);
  });

  test("stays as it is when one of several fails", async () => {
    const broken = { name: "0002_broken", sql: "CREATE TABLE two (n int8); SELECT 1 / 0" };
    const failing = migrate(client, [FIRST, broken], 5);
    expect(await failing.catch((error: unknown) => (error as { errno?: string }).errno)).toBe("22012");
    expect(await tables()).toEqual([]);
  });

  test("is left alone by a program that is older, or not the one that made it", async () => {
    await migrate(client, [FIRST, SECOND], 5);
    const older = await migrate(client, [FIRST], 6).catch((error: unknown) => error);
    const other = await migrate(client, [{ ...FIRST, sql: "SELECT 1" }, SECOND], 6).catch(
      (error: unknown) => error,
    );
    expect([older, other].map((error) => error instanceof MigrationError)).toEqual([true, true]);
    expect(String(older)).toContain("0002_second is unknown here");
  });

  test("waits only for a moment for who reads a table, because the nodes that work would wait behind it", async () => {
    await migrate(client, [FIRST], 5);
    const wider = { name: "0002_wider", sql: "ALTER TABLE one ADD COLUMN m int8" };
    const reader = await client.reserve();
    await reader.unsafe("BEGIN");
    await reader.unsafe("SET application_name = 'nightly dump'");
    const [{ pid }] = await reader.unsafe("SELECT n, pg_backend_pid() AS pid FROM one");
    const upgrade = () => migrate(client, [FIRST, wider], 6, undefined, { waitMs: 50, pauseMs: 0, tries: 3 });
    const refused = upgrade().catch((error: unknown) => error);
    // A node that works: what it writes waits for a try to end, and not for the reader.
    for (let n = 0; n < 3; n++) await client.unsafe("UPDATE one SET n = n + 1");
    expect(await refused).toBeInstanceOf(DatabaseRefused);
    expect(String(await refused)).toContain(`process ${pid} of nightly dump as `);
    await reader.unsafe("COMMIT");
    await reader.release();
    expect(await upgrade()).toEqual(["0002_wider"]);
  });

  test("waits as long as it takes for another process that upgrades", async () => {
    const other = await client.reserve();
    await other.unsafe("BEGIN");
    await other.unsafe("SELECT pg_advisory_xact_lock(7467321)");
    const upgrade = migrate(client, [FIRST], 5, undefined, { waitMs: 1, pauseMs: 0, tries: 1 });
    const waiting = () => client.unsafe("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'");
    await eventually(async () => (await waiting()).length === 1);
    expect(await waiting()).toHaveLength(1);
    await other.unsafe("COMMIT");
    await other.release();
    expect(await upgrade).toEqual(["0001_first"]);
  });

  test("is made once by four that start at the same time, with one secret for all", async () => {
    const world = { clock: systemClock, random: systemRandom };
    const opened = await Promise.all(Array.from({ length: 4 }, () => openPostgres(home.url, world)));
    const names = MIGRATIONS.map(({ name }) => name);
    expect(opened.flatMap(({ migrated }) => migrated)).toEqual(names);
    const secrets = new Set(opened.map(({ signingSecret }) => Buffer.from(signingSecret).toString("hex")));
    expect([...secrets].map((secret) => secret.length)).toEqual([64]);
    await Promise.all(opened.map((database) => database.close()));
  });

  test("behind a pooler it is refused where the role lacks what a client may not set there", async () => {
    const name = new URL(home.url).pathname.slice(1);
    const opening = { clock: systemClock, random: systemRandom, prepare: false };
    const refusal = () =>
      openPostgres(home.url, opening).then(
        (database) => database.close().then(() => ""),
        (error: unknown) => (error as Error).message,
      );
    const set = (setting: string) => client.unsafe(`ALTER DATABASE "${name}" SET ${setting}`);
    await set("idle_in_transaction_session_timeout = 0");
    expect(await refusal()).toContain("idle_in_transaction_session_timeout = '10s'");
    await set("idle_in_transaction_session_timeout = '10s'");
    expect(await refusal()).toBe("");
    await set("synchronous_commit = off");
    expect(await refusal()).toContain("synchronous_commit = on");
    await (await openPostgres(home.url, { ...opening, prepare: true })).close();
  });
});
