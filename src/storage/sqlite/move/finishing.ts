/** What a moved database needs in addition to the moved rows, made from these. */
import { Database } from "bun:sqlite";
import { EVENT_INDEXES } from "#storage/sqlite/events/event-index.ts";
import { holdEverything } from "#storage/sqlite/run/hold.ts";
import { migrate } from "#storage/sqlite/schema/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { findForeignPart } from "#storage/sqlite/schema/schema-check.ts";

/**
 * PostgreSQL does not check these references. A contact may have been deleted while its message was planned, and a
 * plan taken back while its counts were added up.
 */
const MEND = [
  `UPDATE deliveries SET contact = NULL
   WHERE contact IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contacts AS c WHERE c.seq = deliveries.contact)`,
  ...["mailing_skips", "mailing_reasons"].map(
    (table) => `DELETE FROM ${table} WHERE mailing NOT IN (SELECT seq FROM mailings)`,
  ),
];
const DERIVED = [
  // For events there is one count of all, in addition to those by name.
  `INSERT INTO record_counts SELECT workspace, 'event', '', sum(n) FROM record_counts
   WHERE kind = 'event' AND status <> '' GROUP BY workspace ON CONFLICT DO UPDATE SET n = excluded.n`,
  `INSERT INTO contact_events SELECT contact, seq, name, value_cents FROM events ORDER BY 1, 2`,
  "UPDATE event_index SET through = (SELECT coalesce(max(seq), 0) FROM events)",
  "INSERT INTO contact_search (rowid, search) SELECT seq, search FROM contacts ORDER BY seq",
  "UPDATE search_index SET through = (SELECT coalesce(max(seq), 0) FROM contacts)",
];
const FORGET_NUMBER = "DELETE FROM sqlite_sequence WHERE name = ?";
const COUNT_ON = "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)";
const COUNTED_BY_ITSELF = "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'";

/**
 * Nothing is kept of what it mends, because the copy must stay comparable until the source is retired.
 * @throws Error if a row refers to one that is not there
 */
export function checkReferences(sqlite: Database): void {
  let broken = 0;
  const look = sqlite.transaction(() => {
    for (const statement of MEND) sqlite.run(statement);
    broken = sqlite.query("PRAGMA foreign_key_check").all().length;
    throw LOOKED;
  });
  try {
    look.immediate();
  } catch (error) {
    if (error !== LOOKED) throw error;
  }
  if (broken > 0)
    throw new Error(`${broken} rows refer to something that is not there: the copy is not used`);
}

/** Ends the transaction without a commit. */
const LOOKED = new Error("looked");

/**
 * Runs in one transaction. Returns how many things are held.
 * @throws Error if something is missing; then nothing is changed
 */
export function finishFile(sqlite: Database, highest: ReadonlyMap<string, number>, now: number): number {
  return sqlite
    .transaction(() => {
      for (const statement of MEND) sqlite.run(statement);
      for (const { whole } of Object.values(EVENT_INDEXES)) sqlite.run(whole);
      for (const statement of DERIVED) sqlite.run(statement);
      const counted = new Set(
        sqlite
          .query<{ name: string }, []>(COUNTED_BY_ITSELF)
          .all()
          .map(({ name }) => name),
      );
      for (const [table, number] of highest) if (counted.has(table)) countOn(sqlite, table, number);
      for (const trigger of triggers()) sqlite.exec(trigger);
      // The triggers must count this.
      const held = holdEverything(sqlite, now);
      sqlite.run("DROP TABLE moving");
      const foreign = findForeignPart(sqlite, MIGRATIONS, []);
      if (foreign !== null) throw new Error(`the copy is not as Postrider makes it: ${foreign}`);
      return held;
    })
    .immediate();
}

/** The table has no key that would prevent duplicate names. */
function countOn(sqlite: Database, table: string, number: number): void {
  sqlite.query<null, [string]>(FORGET_NUMBER).run(table);
  sqlite.query<null, [string, number]>(COUNT_ON).run(table, number);
}

/** The triggers as the migrations make them. */
function triggers(): readonly string[] {
  const own = new Database(":memory:", { strict: true });
  try {
    migrate(own, MIGRATIONS, 0);
    return own
      .query<{ sql: string }, []>("SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
      .all()
      .map(({ sql }) => sql);
  } finally {
    own.close(true);
  }
}
