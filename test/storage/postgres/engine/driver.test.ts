import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { dice } from "../../../support/common/dice.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

/** Of each task. */
const STEPS = 40;
const TASKS = 24;
/** For each connection that is ended, so many steps are made. */
const STEPS_A_LOSS = 15;

let home: TestDatabase;
let database: PostgresDatabase;
let beside: SQL;

describe.skipIf(await lacksPostgres())("the driver of PostgreSQL", () => {
  beforeAll(async () => {
    home = await migratedDatabase();
    database = await openPostgres(home.url, { clock: systemClock, random: systemRandom });
    beside = new SQL({ url: home.url, max: 1 });
    await database.write((tx) =>
      tx.run("INSERT INTO workspaces (id, created_at) SELECT 'ws_' || n, n FROM generate_series(1, 24) AS n"),
    );
  });
  afterAll(async () => {
    await Promise.all([database.close(), beside.close()]);
    await home.drop();
  });

  const endOne = () =>
    beside.unsafe(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'postrider %' ORDER BY random() LIMIT 1`,
    );

  test("gives no wrong answer and leaves none open while its connections are ended under it", async () => {
    const chance = dice(7);
    const wrong: string[] = [];
    const seen = { unknown: 0, steps: 0, ended: 0, isOver: false };
    /** Each task counts in a row of its own. Where it does not know whether a write was kept, it looks. */
    const task = async (n: number): Promise<void> => {
      let kept = 0;
      const look = async (): Promise<number> => {
        const row = await database.read((session) =>
          session.row<{ value: string }>("SELECT value FROM settings WHERE workspace = $1 AND key = 'n'", [
            n,
          ]),
        );
        return Number(row?.value ?? 0);
      };
      for (let step = 0; step < STEPS; step++, seen.steps++) {
        const asked = chance.roll(1_000_000);
        const answer = await database.read((session) =>
          session.row<{ n: number }>("SELECT $1::int8 AS n", [asked]),
        );
        if (answer?.n !== asked) wrong.push(`asked ${asked}, answered ${answer?.n}`);
        try {
          await database.write(async (tx) => {
            await tx.run(
              `INSERT INTO settings VALUES ($1, 'n', '1')
               ON CONFLICT (workspace, key) DO UPDATE SET value = (settings.value::int8 + 1)::text`,
              [n],
            );
            await tx.run("SELECT 1");
          });
          kept++;
        } catch (error) {
          if (!(error instanceof StorageError)) throw error;
          seen.unknown++;
          const found = await look();
          if (found !== kept && found !== kept + 1) wrong.push(`${n} kept ${kept}, found ${found}`);
          kept = found;
        }
      }
      if ((await look()) !== kept) wrong.push(`${n} kept ${kept}, found ${await look()}`);
    };
    const tasks = Promise.all(Array.from({ length: TASKS }, (_, n) => task(n + 1))).finally(
      () => (seen.isOver = true),
    );
    while (!seen.isOver) {
      await endOne();
      seen.ended++;
      // The next one only after some steps: so all get on, however slow the machine is.
      const before = seen.steps;
      await eventually(() => seen.isOver || seen.steps >= before + STEPS_A_LOSS);
    }
    await tasks;
    expect(wrong).toEqual([]);
    expect(seen.ended).toBeGreaterThan(10);
    expect(seen.unknown).toBeLessThan(TASKS * STEPS);
  });

  test("gives a connection back after every way in which a transaction ends", async () => {
    const failing = Array.from({ length: 40 }, (_, n) =>
      database
        .write(async (tx) => {
          if (n % 4 === 0) throw new Error("ours");
          if (n % 4 === 1) await tx.run("SELECT 1 / 0");
          if (n % 4 === 2) await tx.run("SELECT 1 / 0").catch(() => undefined);
          return n;
        })
        .then(
          () => "done",
          () => "failed",
        ),
    );
    const ends = await Promise.all(failing);
    expect(ends.filter((_, n) => n % 4 < 2)).toEqual(Array.from({ length: 20 }, () => "failed"));
    expect(ends.filter((_, n) => n % 4 === 3)).toEqual(Array.from({ length: 10 }, () => "done"));
    const after = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.write((tx) => tx.row<{ n: number }>("SELECT $1::int8 AS n", [n])),
      ),
    );
    expect(after.map((row) => row?.n)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });
});
