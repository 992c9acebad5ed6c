import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import * as schema from "#storage/postgres/schema/schema.ts";
import { foldCounts } from "#storage/postgres/upkeep/fold-counts.ts";
import { dice } from "../../../support/common/dice.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

let home: TestDatabase;
let database: PostgresDatabase;

const run = (text: string) => database.write((tx) => tx.run(text));
const rows = <T = Record<string, unknown>>(text: string) => database.read((session) => session.rows<T>(text));

/** The counts of a table: its sums by key, without those that are 0. */
const counts = (table: string, key: string) =>
  rows(`SELECT ${key}, sum(n)::int8 AS n FROM ${table} GROUP BY ${key} HAVING sum(n) <> 0 ORDER BY ${key}`);

/** Each count as it is kept, and as counting the rows gives it. */
const COUNTED = [
  [
    "contact_counts",
    "workspace, tag, status",
    `SELECT workspace, '' AS tag, status FROM contacts UNION ALL
     SELECT workspace, unnest(tags), status FROM contacts`,
  ],
  [
    "list_counts",
    "list, status",
    "SELECT list, c.status FROM list_members JOIN contacts AS c ON c.seq = contact",
  ],
  [
    "attribute_counts",
    "workspace, name, type",
    `SELECT workspace, a.key AS name, CASE jsonb_typeof(a.value) WHEN 'array' THEN 'list' ELSE jsonb_typeof(a.value) END AS type
     FROM contact_attributes, jsonb_each(attributes) AS a`,
  ],
  [
    "record_counts",
    "workspace, kind, status",
    `SELECT workspace, 'list' AS kind, '' AS status FROM lists UNION ALL
     SELECT workspace, 'suppression', reason FROM suppressions UNION ALL
     SELECT workspace, 'event', name FROM events UNION ALL
     SELECT workspace, 'audit', what FROM audit WHERE workspace IS NOT NULL`,
  ],
] as const;

async function agree(): Promise<void> {
  for (const [table, key, counted] of COUNTED) {
    const really = await rows(
      `SELECT ${key}, count(*) AS n FROM (${counted}) AS counted GROUP BY ${key} ORDER BY ${key}`,
    );
    expect([table, await counts(table, key)]).toEqual([table, really]);
  }
}

const STATUSES = ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"];
const TAGS = ["vip", "a b", 'quote"', ""];

describe.skipIf(await lacksPostgres())("PostgreSQL's counts", () => {
  beforeAll(async () => {
    home = await migratedDatabase();
    database = await openPostgres(home.url, { clock: systemClock, random: systemRandom });
  });
  beforeEach(async () => {
    const tables = Object.values(schema).flatMap((value) =>
      is(value, PgTable) ? [getTableName(value)] : [],
    );
    await run(`TRUNCATE ${tables.join(", ")} RESTART IDENTITY`);
    await run("INSERT INTO workspaces (seq, id, created_at) VALUES (1, 'ws_one', 1), (2, 'ws_two', 1)");
    await run(
      `INSERT INTO lists (seq, id, workspace, name, search, created_at)
       SELECT n, 'list_' || n, 1 + n % 2, 'x', 'x', 1 FROM generate_series(1, 4) AS n`,
    );
  });
  afterAll(async () => {
    await database.close();
    await home.drop();
  });

  /** Statements over many rows, in any order; each touches some contacts and what belongs to them. */
  const step = (roll: (sides: number) => number, one: <T>(from: readonly T[]) => T): string => {
    const from = 1 + roll(60);
    const some = `seq BETWEEN ${from} AND ${from + roll(12)}`;
    const tags = `ARRAY['${Array.from({ length: 1 + roll(3) }, () => one(TAGS)).join("', '")}']::text[]`;
    const unlike = `ARRAY(SELECT DISTINCT t FROM unnest(${tags}) AS t)`;
    return one([
      `INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at)
       SELECT 'con_' || n, 1 + n % 2, n || '@example.com', '', '', ${unlike}, '${one(STATUSES)}', '', 1
       FROM generate_series(${from}, ${from + 10}) AS n ON CONFLICT DO NOTHING`,
      `UPDATE contacts SET status = '${one(STATUSES)}' WHERE ${some}`,
      `UPDATE contacts SET tags = ${unlike} WHERE ${some}`,
      `UPDATE contacts SET status = '${one(STATUSES)}', tags = '{}' WHERE ${some}`,
      `DELETE FROM contacts WHERE ${some}`,
      `INSERT INTO list_members (list, contact, status, added_at)
       SELECT l.seq, c.seq, c.status, 1 FROM contacts AS c JOIN lists AS l USING (workspace) WHERE c.${some} ON CONFLICT DO NOTHING`,
      `DELETE FROM list_members WHERE list = ${1 + roll(4)} AND contact BETWEEN ${from} AND ${from + 5}`,
      `INSERT INTO contact_attributes SELECT seq, workspace, '{"city":"x","n":${roll(9)},"so":true,"all":["a"]}' FROM contacts
       WHERE ${some} ON CONFLICT (contact) DO UPDATE SET attributes = '{"n":"text"}'`,
      `INSERT INTO events (id, workspace, name, contact, properties, created_at)
       SELECT 'evt', workspace, '${one(["bought", "seen"])}', seq, '{}', 1 FROM contacts WHERE ${some}`,
      `INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, '${roll(5)}', 'MANUAL', 1)
       ON CONFLICT (workspace, address) DO UPDATE SET reason = 'COMPLAINT'`,
      `DELETE FROM suppressions WHERE address = '${roll(5)}'`,
      `INSERT INTO audit (workspace, at, who, what) VALUES (${one(["1", "NULL"])}, 1, 'x', 'did')`,
    ]);
  };

  test.each([1, 2, 3])(
    "are what counting gives, whatever is written, also folded (seed %i)",
    async (seed) => {
      const chance = dice(seed);
      for (let n = 0; n < 120; n++) {
        await run(
          step(
            (sides) => chance.roll(sides),
            (from) => chance.pick(from),
          ),
        );
        if (n % 40 === 20) await foldCounts(database);
      }
      await agree();
      await foldCounts(database);
      await agree();
      for (const [table, key] of COUNTED) {
        const kept = await rows(`SELECT FROM ${table}`);
        expect([table, kept.length]).toEqual([table, (await counts(table, key)).length]);
      }
      const tags = await rows("SELECT contact, tag, status FROM contact_tags ORDER BY contact, tag");
      expect(tags).toEqual(
        await rows(
          `SELECT seq AS contact, tag, status FROM contacts, unnest(tags) AS tag ORDER BY seq, tag COLLATE "C"`,
        ),
      );
      expect(tags.length).toBeGreaterThan(0);
      const others = await rows(
        "SELECT FROM list_members AS m JOIN contacts AS c ON c.seq = m.contact WHERE c.status <> m.status",
      );
      expect(others).toEqual([]);
    },
  );

  test("are folded by several at once while others write, and nothing is lost", async () => {
    const add = (n: number) =>
      run(
        `INSERT INTO suppressions (workspace, address, reason, created_at)
         SELECT 1, 'a' || g, 'MANUAL', 1 FROM generate_series(${n * 10}, ${n * 10 + 9}) AS g`,
      );
    const work = Array.from({ length: 40 }, (_, n) => (n % 4 === 3 ? foldCounts(database) : add(n)));
    await Promise.all(work);
    await agree();
    await foldCounts(database);
    await agree();
    expect(await foldCounts(database)).toBe(0);
  });

  test("sums with several numbers are folded too, and those that are all 0 go", async () => {
    await run(
      `INSERT INTO activity_counts (workspace, at, sent, opened) VALUES (1, 10, 1, 0), (1, 10, 0, 2), (1, 20, 1, 0), (1, 20, -1, 0)`,
    );
    expect(await foldCounts(database)).toBeGreaterThan(1);
    expect(await rows("SELECT at, sent, opened, clicked, folded FROM activity_counts")).toEqual([
      { at: 10, sent: 1, opened: 2, clicked: 0, folded: true },
    ]);
  });

  test("a deleted contact leaves its messages without a person and without its own links", async () => {
    await run(
      `INSERT INTO contacts (seq, id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT n, 'con_' || n, 1, n || '@example.com', '', '', 'PENDING', '', 1 FROM generate_series(1, 2) AS n`,
    );
    await run(
      "INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (1, 1, 'campaign', 'c', 'sending', 1)",
    );
    await run(
      "INSERT INTO deliveries (seq, mailing, contact, address, state) VALUES (1, 1, 1, '1', 'sent'), (2, 1, 2, '2', 'sent')",
    );
    await run("INSERT INTO delivery_links VALUES (1, 0, 'https://one'), (2, 0, 'https://two')");
    await run(
      "INSERT INTO link_clicks (seq, mailing, url, clicks, recipients) VALUES (1, 1, 'https://one', 1, 1), (2, 1, 'https://two', 1, 1)",
    );
    await run("INSERT INTO delivery_clicks VALUES (1, 1), (2, 2)");
    await run("DELETE FROM contacts WHERE seq = 1");
    expect(await rows("SELECT contact FROM deliveries ORDER BY seq")).toEqual([
      { contact: null },
      { contact: 2 },
    ]);
    expect(await rows("SELECT url FROM delivery_links ORDER BY delivery")).toEqual([
      { url: "" },
      { url: "https://two" },
    ]);
    expect(await rows("SELECT url FROM link_clicks ORDER BY seq")).toEqual([
      { url: "-1" },
      { url: "https://two" },
    ]);
  });
});
