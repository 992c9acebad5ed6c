/** What keeps a program away from its database is said in one line, by the program and by the doctor. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { checkPostgres } from "#doctor/machine/postgres-server.ts";
import { tooLongOr } from "#storage/postgres/segments/long-questions.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { refusedAs } from "#storage/postgres/engine/refused.ts";
import { inspectPostgres } from "#storage/postgres/run/inspect.ts";
import { certificateFile, certificateOf } from "../../../support/server/certificates.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { emptyDatabase, lacksPostgres, type TestDatabase } from "../../../support/storage/postgres.ts";
import {
  NOBODY,
  startCluster,
  type Cluster,
  type Standby,
} from "../../../support/storage/postgres-cluster.ts";

/** What a person is told who starts a server; null: it starts. */
const refusal = (url: string): Promise<string | null> =>
  openPostgres(url, { clock: systemClock, random: systemRandom }).then(
    (database) => database.close().then(() => null),
    (error: unknown) => (refusedAs(error, url) as Error).message,
  );

const doctorSays = async (url: string, prepare = true): Promise<string[]> => {
  const { server, pending } = await inspectPostgres(url);
  const found = checkPostgres({ server, pending, host: "127.0.0.1", prepare, trustsFailover: false });
  // The tests' own does not care for the disk.
  return found
    .filter(({ id, result }) => result === "fail" && id !== "durability")
    .map(({ id, message }) => `${id}: ${message}`);
};

describe.skipIf(await lacksPostgres())("a role", () => {
  let home: TestDatabase;
  let owner: SQL;
  let asGuest = "";
  const guest = `guest_${crypto.randomUUID().slice(0, 8)}`;
  beforeAll(async () => {
    home = await emptyDatabase();
    owner = new SQL({ url: home.url, max: 1 });
    await owner.unsafe(`CREATE ROLE ${guest} LOGIN`);
    asGuest = Object.assign(new URL(home.url), { username: guest }).href;
  });
  afterAll(async () => {
    await owner.close();
    await home.drop();
    const postgres = new SQL({
      url: Object.assign(new URL(home.url), { pathname: "/postgres" }).href,
      max: 1,
    });
    await postgres.unsafe(`DROP ROLE ${guest}`);
    await postgres.close();
  });

  test("that may not make tables is refused, and the doctor sees it before", async () => {
    expect(await doctorSays(asGuest)).toEqual(["database: the role may not make Postrider's tables"]);
    expect(await refusal(asGuest)).toContain(`${guest} may not make Postrider's tables: `);
    await owner.unsafe(`GRANT CREATE ON SCHEMA public TO ${guest}`);
    // It cannot make the extension either.
    expect(await doctorSays(asGuest)).toEqual(["database: the role may not make Postrider's tables"]);
    expect(await refusal(asGuest)).toContain(`${guest} may not make Postrider's tables: `);
    await owner.unsafe("CREATE EXTENSION pg_trgm");
    expect(await doctorSays(asGuest)).toEqual([]);
    expect(await refusal(asGuest)).toBeNull();
    // Once they are made, nobody has to make any.
    await owner.unsafe(`REVOKE CREATE ON SCHEMA public FROM ${guest}`);
    expect(await doctorSays(asGuest)).toEqual([]);
    expect(await refusal(asGuest)).toBeNull();
    await owner.unsafe(`DROP OWNED BY ${guest}`);
  });

  test("that lacks settings is seen by the doctor where DATABASE_PREPARE is off", async () => {
    await owner.unsafe(`ALTER ROLE ${guest} SET synchronous_commit = off`);
    const found = (prepare: boolean) =>
      doctorSays(asGuest, prepare).then((says) => says.filter((line) => line.startsWith("pooler")));
    expect(await found(true)).toEqual([]);
    expect(await found(false)).toEqual([
      "pooler: DATABASE_PREPARE=off, and the role lacks settings that Postrider cannot set then",
    ]);
    await owner.unsafe(`ALTER ROLE ${guest} SET synchronous_commit = on`);
    await owner.unsafe(`ALTER ROLE ${guest} SET idle_in_transaction_session_timeout = '10s'`);
    expect(await found(false)).toEqual([]);
  });

  test("that has no connection left is told so, and what runs goes on once it has some", async () => {
    const database = await openPostgres(home.url, { clock: systemClock, random: systemRandom });
    await database.close();
    await owner.unsafe(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${guest}`);
    const running = await openPostgres(asGuest, { clock: systemClock, random: systemRandom });
    await owner.unsafe(`ALTER ROLE ${guest} CONNECTION LIMIT 0`);
    await owner.unsafe(
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '${guest}'`,
    );
    const writing = () =>
      running.probeWrite().then(
        () => null,
        (error: unknown) => (error instanceof StorageError ? error.trouble : error),
      );
    // The first finds its connections closed, the second gets no other.
    for (let tried = 0; tried < 2; tried++) expect(await writing()).toBe("unreachable");
    expect(running.faults.current).toBeInstanceOf(StorageError);
    expect(await refusal(asGuest)).toContain(
      "has no connection left: raise its max_connections, or the limit of the role or the database.",
    );
    await owner.unsafe(`ALTER ROLE ${guest} CONNECTION LIMIT -1`);
    expect(await writing()).toBeNull();
    expect(running.faults.current).toBeNull();
    await running.close();
    await owner.unsafe(`DROP OWNED BY ${guest}`);
  });
});

describe.skipIf(await lacksPostgres())("a database that lets nobody in any more", () => {
  const guest = `guest_${crypto.randomUUID().slice(0, 8)}`;
  test.each([
    [
      "its role may not log in",
      () => `ALTER ROLE ${guest} NOLOGIN`,
      () => `ALTER ROLE ${guest} LOGIN`,
      `does not let ${guest} in: `,
    ],
    [
      "it is closed",
      (name: string) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      (name: string) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
      "is closed to everybody: open it with ALTER DATABASE ",
    ],
    [
      "it has another name",
      (name: string) => `ALTER DATABASE ${name} RENAME TO ${name}_old`,
      (name: string) => `ALTER DATABASE ${name}_old RENAME TO ${name}`,
      "has no database ",
    ],
  ])("does not answer, and what runs goes on once it is let in: %s", async (_, close, reopen, says) => {
    const home = await emptyDatabase();
    const { href } = Object.assign(new URL(home.url), { pathname: "/postgres" });
    const postgres = new SQL({ url: href, max: 1 });
    const name = new URL(home.url).pathname.slice(1);
    await postgres.unsafe(`CREATE ROLE ${guest} LOGIN`);
    await postgres.unsafe(`ALTER DATABASE ${name} OWNER TO ${guest}`);
    const url = Object.assign(new URL(home.url), { username: guest }).href;
    const running = await openPostgres(url, { clock: systemClock, random: systemRandom });
    const end = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`;
    const trouble = (): Promise<unknown> =>
      running.probeWrite().then(
        () => null,
        (error: unknown) => (error instanceof StorageError ? error.trouble : error),
      );
    // A database that is in use gets no other name.
    for (let isClosed = false; !isClosed;) {
      await postgres.unsafe(end);
      isClosed = await postgres.unsafe(close(name)).then(
        () => true,
        () => false,
      );
    }
    await postgres.unsafe(end);
    // The first finds its connections closed, the second gets no other.
    for (let tried = 0; tried < 2; tried++) expect(await trouble()).toBe("unreachable");
    expect(running.faults.current).toBeInstanceOf(StorageError);
    expect(await refusal(url)).toContain(says);
    await postgres.unsafe(reopen(name));
    expect(await trouble()).toBeNull();
    expect(running.faults.current).toBeNull();
    await running.close();
    await home.drop();
    await postgres.unsafe(`DROP ROLE ${guest}`);
    await postgres.close();
  });
});

describe.skipIf(await lacksPostgres())("a database", () => {
  let home: TestDatabase;
  let owner: SQL;
  const name = `latin_${crypto.randomUUID().slice(0, 8)}`;
  beforeAll(async () => {
    home = await emptyDatabase();
    owner = new SQL({ url: home.url, max: 1 });
    await owner.unsafe(
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
  });
  afterAll(async () => {
    await owner.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    await owner.close();
    await home.drop();
  });

  test("that cannot keep every text is refused, and the doctor sees it before", async () => {
    const url = Object.assign(new URL(home.url), { pathname: `/${name}` }).href;
    const why = "encoding is LATIN1, which cannot keep every text";
    expect(await refusal(url)).toContain(why);
    expect(await doctorSays(url)).toEqual([`database: the database's ${why}`]);
    // Nothing was made in it.
    expect((await inspectPostgres(url)).pending).toBeNull();
  });
});

describe.skipIf(await lacksPostgres())("a database with settings of its own", () => {
  const homes: TestDatabase[] = [];
  const open: SQL[] = [];
  /** An empty one, and the rights to change it. */
  const made = async () => {
    const home = await emptyDatabase();
    const owner = new SQL({ url: home.url, max: 1 });
    homes.push(home);
    open.push(owner);
    return { ...home, owner, name: new URL(home.url).pathname.slice(1) };
  };
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
    await Promise.all(homes.map((home) => home.drop()));
  });

  test("that is set read-only is no standby, and the doctor sees it before", async () => {
    const { url, owner, name } = await made();
    await owner.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const says = "default_transaction_read_only is on, so nothing can be written";
    expect(await doctorSays(url)).toEqual([`database: ${says}`]);
    expect(await refusal(url)).toContain(says);
  });

  test("that writes bytes, or reads NULL in arrays or backslashes, in its own way is used all the same", async () => {
    const { url, owner, name } = await made();
    await owner.unsafe(`ALTER DATABASE ${name} SET bytea_output = 'escape'`);
    await owner.unsafe(`ALTER DATABASE ${name} SET array_nulls = off`);
    await owner.unsafe(`ALTER DATABASE ${name} SET standard_conforming_strings = off`);
    expect(await refusal(url)).toBeNull();
    const database = await openPostgres(url, { clock: systemClock, random: systemRandom });
    const read = await database.read(({ row }) =>
      row("SELECT '\\x00ff'::bytea AS bytes, $1::text[] AS texts, '\\u' AS as_it_is", [["a", null]]),
    );
    expect(read).toMatchObject({ texts: ["a", null], asItIs: "\\u" });
    expect([...(read as { bytes: Uint8Array }).bytes]).toEqual([0, 255]);
    await database.close();
    // Where Postrider may not set them, the database must have them.
    expect(await doctorSays(url, false)).toContain(
      "pooler: DATABASE_PREPARE=off, and the role lacks settings that Postrider cannot set then",
    );
  });

  test("whose pg_trgm is in a schema that nobody looks in is refused, and the doctor sees it before", async () => {
    const { url, owner } = await made();
    await owner.unsafe("CREATE SCHEMA extensions");
    await owner.unsafe("CREATE EXTENSION pg_trgm SCHEMA extensions");
    const says = "pg_trgm is in a schema that is not in the role's search_path";
    expect(await doctorSays(url)).toEqual([`database: ${says}`]);
    expect(await refusal(url)).toContain(says);
  });

  test("whose role looks in no schema says what to do", async () => {
    const { url, owner } = await made();
    await owner.unsafe(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET search_path = nowhere`);
    expect(await refusal(url)).toContain("SET search_path = public");
  });

  test("that stops what takes long says so, and not that somebody else has it", async () => {
    const { url } = await made();
    const database = await openPostgres(url, { clock: systemClock, random: systemRandom });
    const slow = database.write(async (tx) => {
      await tx.run("SET LOCAL statement_timeout = 20");
      await tx.rows("SELECT pg_sleep(60)");
    });
    const error: unknown = await slow.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ trouble: "stopped", message: expect.stringContaining("took too long") });
    // It is no fault of the database.
    expect(database.faults.current).toBeNull();
    // Of a question about people, the rules are the reason.
    expect(tooLongOr(error)).toMatchObject({ code: "VALIDATION_ERROR" });
    await database.close();
  });
});

describe.skipIf(await lacksPostgres())("a server", () => {
  let cluster: Cluster;
  let standby: Standby;
  let directory = "";
  const at = (mode: string): string => `${cluster.url.replace("127.0.0.1", "localhost")}?sslmode=${mode}`;
  const put = (name: "localhost" | "hook"): void => {
    const { cert, key } = certificateOf(name);
    writeFileSync(join(directory, "cert.pem"), cert);
    const file = join(directory, "key.pem");
    writeFileSync(file, key, { mode: 0o600 });
    if (process.getuid?.() === 0) chownSync(file, NOBODY, NOBODY);
  };
  const trusting = (name: "localhost" | "hook"): string =>
    `${at("verify-full")}&sslrootcert=${certificateFile(name)}`;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "postrider-test-"));
    chmodSync(directory, 0o755);
    put("localhost");
    const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
    const how = ["fsync=off", "ssl=on", `ssl_cert_file=${files.cert}`, `ssl_key_file=${files.key}`];
    cluster = await startCluster(how);
    standby = await cluster.addStandby();
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(directory, { recursive: true });
  });

  test("that does not make commits durable is refused before its schema is changed", async () => {
    const owner = new SQL({ url: cluster.url, max: 1 });
    await owner.unsafe("CREATE DATABASE begun");
    await owner.close();
    const url = Object.assign(new URL(cluster.url), { pathname: "/begun" }).href;
    const opening = { clock: systemClock, random: systemRandom, mustBeDurable: true };
    const refused = await openPostgres(url, opening).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining("fsync = off") });
    const begun = new SQL({ url, max: 1 });
    expect(await begun.unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toHaveLength(0);
    await begun.close();
  });

  test("whose certificate nobody knows is refused, and that is said", async () => {
    const says = "The certificate of PostgreSQL at localhost:";
    expect(await refusal(at("verify-full"))).toStartWith(says);
    expect(await refusal(at("verify-full"))).toContain("add sslrootcert=FILE to the address");
  });

  test("is refused where the address names a file that is not there, or is no certificate", async () => {
    for (const file of [join(directory, "absent.pem"), import.meta.path])
      expect(await refusal(`${at("verify-full")}&sslrootcert=${file}`)).toContain(`(sslrootcert=${file})`);
  });

  test("is taken where its certificate is named, but not under another name", async () => {
    expect(await refusal(trusting("localhost"))).toBeNull();
    put("hook");
    const owner = new SQL({ url: cluster.url, max: 1 });
    await owner.unsafe("SELECT pg_reload_conf()");
    await owner.close();
    const wanted = "is for another name: use the name that stands in it.";
    // It takes a moment until new connections get the other one.
    await eventually(async () => (await refusal(trusting("hook")))?.includes(wanted) === true);
  });

  test("that only follows another is refused, and the doctor looks at it all the same", async () => {
    const url = Object.assign(new URL(cluster.url), { port: String(standby.port) }).href;
    expect(await refusal(cluster.url)).toBeNull();
    expect(await refusal(url)).toContain("is a standby, which cannot be written: name the primary.");
    expect(await doctorSays(url)).toEqual(["database: it is a standby, which cannot be written"]);
  });

  test("that does not encrypt is refused where the address wants it", async () => {
    const home = await emptyDatabase();
    expect(await refusal(`${home.url}?sslmode=require`)).toContain("does not encrypt");
    await home.drop();
  });
});
