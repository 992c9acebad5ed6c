/**
 * The reference for imports: prepared inserts of finished rows into Postrider's own schema, with its pragmas,
 * indexes and triggers. There is no file to read. Every row is a contact and its place on a list. Prints rows
 * per second.
 *
 *     bun scripts/bench/references/bare-import.ts DIR COUNT
 */
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";
import { personOf } from "../data/people.ts";

const ROWS_PER_TRANSACTION = 5_000;

const [directory, count] = process.argv.slice(2) as [string, string];
const database = openSqlite(directory, systemClock, systemRandom);
const { sqlite } = database;
sqlite.exec("INSERT INTO workspaces (seq, id, created_at) VALUES (1, 'ws_bare', 0)");
sqlite.exec(
  "INSERT INTO lists (seq, id, workspace, name, search, created_at) VALUES (1, 'li_bare', 1, 'Bare', 'bare', 0)",
);
const insert = sqlite.prepare<null, [string, string, string, string, string, string]>(
  `INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at)
   VALUES (?, 1, ?, ?, ?, ?, 'SUBSCRIBED', ?, 0)`,
);
const index = searchIndex(sqlite);
const join = sqlite.prepare<null, [number]>("INSERT INTO list_members VALUES (1, 'SUBSCRIBED', ?, 0)");

const startedMs = performance.now();
for (let n = 0; n < Number(count);) {
  sqlite.exec("BEGIN IMMEDIATE");
  for (const end = Math.min(n + ROWS_PER_TRANSACTION, Number(count)); n < end; n++) {
    const { email, firstName, lastName } = personOf(n);
    const search = `${email}\n${firstName}\n${lastName}`.toLowerCase();
    const { lastInsertRowid } = insert.run(
      `ct_${String(n).padStart(26, "0")}`,
      email,
      firstName,
      lastName,
      "[]",
      search,
    );
    join.run(Number(lastInsertRowid));
  }
  index.advance(ROWS_PER_TRANSACTION);
  sqlite.exec("COMMIT");
}
console.log(Math.round(Number(count) / ((performance.now() - startedMs) / 1000)));
await database.close();
