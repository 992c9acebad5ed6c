/**
 * A start makes the first workspace alone, and shows its key once. What was done must be told, whatever becomes of the
 * connection that keeps others out.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { systemRandom } from "#core/random.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

let home: TestDatabase;
let database: PostgresDatabase;
let beside: SQL;

/** Ends the connections that have the lock, or wait for it. Returns how many. */
const endLockers = async (isGranted: boolean): Promise<number> => {
  const ended: unknown[] = await beside.unsafe(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND granted = $1
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [isGranted],
  );
  return ended.length;
};

describe.skipIf(await lacksPostgres())("work that no other process does meanwhile", () => {
  beforeAll(async () => {
    home = await migratedDatabase();
    database = await openPostgres(home.url, { clock: systemClock, random: systemRandom });
    beside = new SQL({ url: home.url, max: 2 });
  });
  afterAll(async () => {
    await Promise.all([database.close(), beside.close()]);
    await home.drop();
  });

  test("what was done is told, even if the connection that kept others out is lost", async () => {
    const done = await database.alone(async () => {
      expect(await endLockers(true)).toBe(1);
      return "the key";
    });
    expect(done).toBe("the key");
  });

  test("a connection that is lost before the work is told as what it is", async () => {
    const finish = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = database.alone(async () => {
      begun.resolve();
      await finish.promise;
    });
    await begun.promise;
    const error = database.alone(() => Promise.resolve("never")).catch((thrown: unknown) => thrown);
    await eventually(async () => (await endLockers(false)) === 1);
    expect(await error).toBeInstanceOf(StorageError);
    finish.resolve();
    await first;
  });
});
