/**
 * Connections that run few statements often keep their plans. One that is made while there are few rows, or before
 * PostgreSQL has counted them, is used also when there are very many.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { writeStarts } from "#storage/postgres/automations/start-writes.ts";
import { HOLD_MAILED } from "#storage/postgres/consent/consent-writes.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

describe.skipIf(await lacksPostgres())("a plan that is kept, for people who are mailed", () => {
  let made: TestDatabase;
  let database: PostgresDatabase;
  beforeAll(async () => {
    made = await migratedDatabase();
    database = await openPostgres(made.url, { clock: systemClock, random: seededRandom(1) });
    await database.write(async (tx) => {
      await tx.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
      await tx.run(`INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at)
        VALUES (1, 'campaign', 'cmp_1', 'sending', '2026-11', 1, 1)`);
    });
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  let people = 0;
  async function add(upTo: number): Promise<void> {
    await database.write(async (tx) => {
      await tx.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         SELECT 'con_' || n, 1, n || '@example.com', '', '', 'SUBSCRIBED', '', 1 FROM generate_series(${people + 1}, ${upTo}) AS n`,
      );
      await tx.run(
        `INSERT INTO deliveries (mailing, contact, address, state)
         SELECT 1, seq, email, 'queued' FROM contacts WHERE seq > ${people}`,
      );
    });
    people = upTo;
  }

  /** As a connection plans it that keeps its plans. */
  const planOf = (statement: string): Promise<string> =>
    database.writeOften(async (tx) => {
      await tx.run(`PREPARE kept (int8[]) AS ${statement}`);
      const lines = await tx.rows<Record<string, unknown>>("EXPLAIN EXECUTE kept ('{1,2}')");
      await tx.run("DEALLOCATE kept");
      return lines.flatMap((line) => Object.values(line)).join("\n");
    });

  test("the triggers of a change are planned a few times only, because that takes longer than to write them", async () => {
    const start = { contact: 1, trigger: { kind: "new_subscriber" }, event: null, depth: 0, at: 1 } as const;
    const counted = await database.write(async (tx) => {
      for (let n = 0; n < 30; n++) await writeStarts(tx, 1, [start]);
      return await tx.rows<{ own: number; kept: number }>(
        `SELECT custom_plans::int4 AS own, generic_plans::int4 AS kept FROM pg_prepared_statements
         WHERE statement LIKE '%INSERT INTO automation_triggers%'`,
      );
    });
    expect(counted).toEqual([{ own: 5, kept: 25 }]);
  });

  test.each([
    [10, false],
    [300, false],
    [300, true],
    [1_000, true],
  ])("finds them by their addresses alone, made for %p rows (counted: %p)", async (rows, isCounted) => {
    await add(rows);
    if (isCounted) await database.write((tx) => tx.run("ANALYZE"));
    const plan = await planOf(HOLD_MAILED);
    expect(plan.match(/using contacts_\w+/g)?.toSorted()).toEqual([
      "using contacts_pkey",
      "using contacts_workspace_email_key",
    ]);
    expect(plan).toMatch(/Index Cond: \(\(workspace = .*\) AND \(email /);
    expect(plan).not.toMatch(/Seq Scan|Hash|Merge|Filter/);
  });
});
