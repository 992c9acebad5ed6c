/**
 * PostgreSQL for tests. A whole run has one, which scripts/test starts; a file that is run alone starts its own. Each
 * file makes databases of its own in it, as copies of one that has the schema already.
 */
import { SQL } from "bun";
import { existsSync, readFileSync } from "node:fs";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { migrationHash } from "#storage/common/engine/migrations.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { MIGRATIONS } from "#storage/postgres/schema/migrations.gen.ts";
import { lacks } from "../common/needs.ts";
import { CLUSTER, keepOwnCluster } from "./own-cluster.ts";
import { NoPostgres, startCluster } from "./postgres-cluster.ts";

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/** On a busy machine this takes seconds. Only if it never comes, the test gives up. */
const COMES_WITHIN_MS = 150_000;

/** For `describe.skipIf`. */
export async function lacksPostgres(): Promise<boolean> {
  const found = await address();
  return lacks(`PostgreSQL (${found.reason})`, found.url !== null, "`bun install` brings one for Linux.");
}

type Address =
  | { readonly url: string; readonly reason: null }
  | { readonly url: null; readonly reason: string };

/** The address of this run's PostgreSQL. */
async function address(): Promise<Address> {
  const given = process.env[CLUSTER];
  const text =
    given === undefined ? await ownCluster() : given.includes("://") ? given : await written(given);
  return text.startsWith("none: ") ? { url: null, reason: text.slice(6) } : { url: text, reason: null };
}

async function ownCluster(): Promise<string> {
  try {
    const cluster = await startCluster();
    keepOwnCluster(cluster);
    return cluster.url;
  } catch (error) {
    if (error instanceof NoPostgres) return `none: ${error.message}`;
    throw error;
  }
}

async function written(file: string): Promise<string> {
  const giveUpAt = performance.now() + COMES_WITHIN_MS;
  while (!existsSync(file)) {
    if (performance.now() > giveUpAt) throw new Error(`No PostgreSQL has written its address to ${file}.`);
    await Bun.sleep(50);
  }
  return readFileSync(file, "utf8");
}

/** A new, empty database. */
export const emptyDatabase = (): Promise<TestDatabase> => create("TEMPLATE template0");

/** A new database with the product's schema. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const template = await migratedTemplate();
  return await create(`TEMPLATE ${template}`);
}

const databases = new Map<string, Promise<TestDatabase>>();

/** The database of a data directory, for every process that works there; until `drop`, or the end of the run. */
export function databaseOf(dataDir: string): Promise<TestDatabase> {
  const known = databases.get(dataDir) ?? forDirectory(dataDir);
  databases.set(dataDir, known);
  return known;
}

async function forDirectory(dataDir: string): Promise<TestDatabase> {
  const { url, drop } = await migratedDatabase();
  const forget = async (): Promise<void> => {
    databases.delete(dataDir);
    await drop();
  };
  return { url, drop: forget };
}

/** From now on a power cut loses nothing. A server starts only on such a database; writes take a little longer. */
export async function makeDurable(): Promise<void> {
  await asOwner(async (sql) => {
    await sql.unsafe("ALTER SYSTEM SET fsync = on");
    await sql.unsafe("SELECT pg_reload_conf()");
  });
  const isDurable = (): Promise<boolean> =>
    asOwner(async (sql) => (await sql.unsafe("SHOW fsync"))[0].fsync === "on");
  const giveUpAt = performance.now() + COMES_WITHIN_MS;
  while (!(await isDurable())) {
    if (performance.now() > giveUpAt) throw new Error("PostgreSQL does not take fsync = on.");
    await Bun.sleep(20);
  }
}

/** Another database with the content of one that nobody has open. */
export const copyOf = ({ url }: TestDatabase): Promise<TestDatabase> =>
  create(`TEMPLATE ${new URL(url).pathname.slice(1)}`);

async function create(how: string): Promise<TestDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await asOwner((sql) => sql.unsafe(`CREATE DATABASE ${name} ${how}`));
  return {
    url: await urlOf(name),
    drop: () => asOwner(async (sql) => void (await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`))),
  };
}

/**
 * The name of the database that has the schema. The first caller makes it, under a lock that all processes of the
 * run see, and names it when it is done.
 */
async function migratedTemplate(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256").update(MIGRATIONS.map(migrationHash).join()).digest("hex");
  const name = `migrated_${hash.slice(0, 16)}`;
  await asOwner(async (sql) => {
    await sql.unsafe("SELECT pg_advisory_lock(1)");
    const known = await sql.unsafe("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (known.length > 0) return;
    const made = await create("TEMPLATE template0");
    const database = await openPostgres(made.url, { clock: systemClock, random: systemRandom });
    await database.close();
    await sql.unsafe(`ALTER DATABASE ${new URL(made.url).pathname.slice(1)} RENAME TO ${name}`);
  });
  return name;
}

/** On one connection of its own, whose locks end with it. */
async function asOwner<T>(work: (sql: SQL) => Promise<T>): Promise<T> {
  const sql = new SQL({ url: await urlOf("postgres"), max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.close();
  }
}

async function urlOf(database: string): Promise<string> {
  const { url, reason } = await address();
  if (url === null) throw new NoPostgres(reason);
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}
