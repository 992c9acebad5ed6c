/**
 * Fills a new data directory.
 *
 *     bun scripts/bench/data/seed.ts DIR CONTACTS EVENTS
 *
 * The result is what the service itself would have written, with its counters and its search index. The same
 * numbers give the same rows, except for the workspace, its key and the signing secret.
 *
 * To be fast, rows are inserted by plain SQL without triggers and indexes. Then the counters are computed,
 * and the indexes are built from sorted rows.
 */
import type { Database } from "bun:sqlite";
import { openServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { campaignsSql, contactsSql, DERIVED_SQL, eventsSql, listsSql, NAMES_SQL } from "./seed-sql.ts";

/** The things to request. `lists`: everybody who may be mailed, half of them, a tenth, a hundredth, then small ones. */
export type Seeded = {
  readonly workspaceId: string;
  readonly key: string;
  readonly listIds: readonly string[];
  /** A thousand of them, or all, from among all of them. */
  readonly contactIds: readonly string[];
  readonly contacts: number;
  readonly events: number;
};

const SILENT = createLog({ level: "error", format: "json", clock: systemClock, write: () => undefined });

/** How much there is of everything else, by the number of contacts. */
const listsOf = (contacts: number): number => 10 + Math.floor(contacts / 5_000);
const campaignsOf = (contacts: number): number => 10 + Math.floor(contacts / 500);

/** @param dataDir made if need be; must not hold a database */
export async function seed(
  dataDir: string,
  { contacts, events }: { contacts: number; events: number },
): Promise<Seeded> {
  const services = openServices(dataDir, { clock: systemClock, random: systemRandom, log: SILENT });
  const { id, key } = await services.workspaces.create("Default");
  const { sqlite } = services.database;
  for (const pragma of ["journal_mode = DELETE", "synchronous = OFF", "cache_size = -1000000"])
    sqlite.exec(`PRAGMA ${pragma}`);
  sqlite.exec("BEGIN");
  withoutTriggersAndIndexes(sqlite, () => {
    for (const sql of [
      NAMES_SQL,
      contactsSql(contacts),
      listsSql(listsOf(contacts), contacts),
      campaignsSql(campaignsOf(contacts), listsOf(contacts)),
      eventsSql(events, contacts),
      ...DERIVED_SQL,
    ])
      sqlite.exec(sql);
  });
  sqlite.exec("COMMIT");
  sqlite.exec("PRAGMA journal_mode = WAL");
  const ids = (sql: string): string[] =>
    sqlite
      .query<{ id: string }, []>(sql)
      .all()
      .map((row) => row.id);
  const listIds = ids("SELECT id FROM lists ORDER BY seq");
  const contactIds = ids(`SELECT id FROM contacts WHERE seq % ${Math.ceil(contacts / 1000)} = 0`);
  await services.close();
  return { workspaceId: id, key, listIds, contactIds, contacts, events };
}

function withoutTriggersAndIndexes(sqlite: Database, fill: () => void): void {
  const entries = sqlite
    .query<{ type: string; name: string; sql: string }, []>(
      "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY rowid",
    )
    .all();
  for (const { type, name } of entries) sqlite.exec(`DROP ${type} "${name}"`);
  fill();
  for (const { sql } of entries) sqlite.exec(sql);
}

if (import.meta.main) {
  const [dataDir, contacts, events] = process.argv.slice(2);
  if (dataDir === undefined || !(Number(contacts) > 0) || !(Number(events) >= 0)) {
    console.error("Usage: bun scripts/bench/data/seed.ts DIR CONTACTS EVENTS");
    process.exit(2);
  }
  console.log(JSON.stringify(await seed(dataDir, { contacts: Number(contacts), events: Number(events) })));
}
