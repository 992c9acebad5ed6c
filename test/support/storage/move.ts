/** A database with something of everything, and its content, for tests that move it. */
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { MovedRow } from "#move/store.ts";
import { columnsOf, comparedColumns, type MovedTable } from "#move/table.ts";
import { MOVED } from "#move/tables.ts";
import { readRows } from "#storage/sqlite/move/moved-rows.ts";

const FIXTURES = resolve(import.meta.dir, "../../fixtures");

/** More rows of several tables than fit into one slice, and owed messages. */
const MORE = [
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4500)
   INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at)
   SELECT 'con_' || n, 1, 'p' || n || '@example.net', 'Zoë', '', '["café","x;y"]', 'SUBSCRIBED', 'p' || n || '@example.net', n FROM n`,
  "INSERT INTO list_members SELECT 1, status, seq, 7 FROM contacts WHERE id LIKE 'con\\_%' ESCAPE '\\' AND seq % 3 > 0",
  `INSERT INTO mailings (workspace, kind, source_id, phase, list, created_at, started_at, planned, queued)
   VALUES (1, 'campaign', 'cmp_owed', 'sending', 1, 5, 6, 2500, 2500), (1, 'automation', 'aut_owed:letter', 'sending', NULL, 5, 6, 1, 1),
     (1, 'confirmation', 'frm_idle', 'sending', NULL, 5, 6, 0, 0)`,
  `INSERT INTO deliveries (mailing, contact, address, state, attempts, next_attempt_at)
   SELECT (SELECT seq FROM mailings WHERE source_id = 'cmp_owed'), seq, email, 'queued', iif(seq % 100 = 0, 1, 0), iif(seq % 100 = 0, 99, NULL)
   FROM contacts WHERE id LIKE 'con\\_%' ESCAPE '\\' ORDER BY seq LIMIT 2500`,
  `INSERT INTO deliveries (mailing, contact, address, state)
   SELECT (SELECT seq FROM mailings WHERE source_id = 'aut_owed:letter'), seq, email, 'queued' FROM contacts ORDER BY seq LIMIT 1`,
  `INSERT INTO events (id, workspace, name, contact, properties, created_at)
   SELECT 'evt_more', 1, 'purchase', seq, '{"city":"ÉCOLE","n":[1,0.5,null,true]}', 9 FROM contacts ORDER BY seq LIMIT 1`,
  "UPDATE deliveries SET contact = NULL WHERE seq = (SELECT max(seq) FROM deliveries WHERE state = 'queued')",
  "UPDATE record_counts SET n = n + 1 WHERE kind = 'event' AND status IN ('', 'purchase')",
  "UPDATE deliveries SET reply_text = 'a' || char(0) || 'b' WHERE seq = 1",
  `INSERT INTO domain_sends VALUES (1, 'example.net', 60000, 4), (1, 'ünï.example', 60000, 5)`,
];

/** Writes the newest fixture to a file, and more. */
export function databaseToMove(path: string): void {
  const newest = readdirSync(FIXTURES)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .at(-1)!;
  const sqlite = new Database(path);
  sqlite.exec("PRAGMA foreign_keys = OFF");
  sqlite.exec(readFileSync(`${FIXTURES}/${newest}`, "utf8"));
  for (const statement of MORE) sqlite.run(statement);
  sqlite.close();
}

/**
 * Every row of a file, by table, except counts that are 0. JSON as a value, because PostgreSQL does not keep the
 * order of names. NUL as PostgreSQL stores it.
 */
export const contentOf = (path: string): Readonly<Record<string, unknown>> =>
  changeFile(path, (sqlite) =>
    Object.fromEntries(
      MOVED.map((table) => [
        table.name,
        readRows(sqlite, table, null, 1_000_000).filter(counts(table)).map(valuesOf(table)),
      ]),
    ),
  );

function valuesOf(table: MovedTable): (row: MovedRow) => unknown[] {
  const isJson = columnsOf(table).map(({ kind }) => kind === "json");
  return (row) =>
    row.map((value, at) => {
      if (typeof value !== "string") return value;
      return isJson[at] ? JSON.parse(value) : value.replaceAll("\0", "\uFFFD");
    });
}

function counts(table: MovedTable): (row: MovedRow) => boolean {
  if (table.isSummed !== true) return () => true;
  const numbers = new Set(comparedColumns(table).map(({ name }) => name));
  const at = columnsOf(table).flatMap(({ name }, index) => (numbers.has(name) ? [index] : []));
  return (row) => at.some((index) => row[index] !== 0);
}

const INDEXES = `SELECT (SELECT count(*) FROM contact_events) AS byContact, (SELECT count(*) FROM named_events) AS byName,
  (SELECT count(*) FROM workspace_events) AS byWorkspace, (SELECT through FROM event_index) AS through,
  (SELECT count(*) FROM contact_search('"p44"')) AS found, (SELECT through FROM search_index) AS searched`;
const ROWS = `SELECT n AS byContact, n AS byName, n AS byWorkspace, through, found, searched FROM
  (SELECT count(*) AS n, max(seq) AS through FROM events),
  (SELECT sum(search LIKE '%p44%') AS found, max(seq) AS searched FROM contacts)`;

/** The content of the indexes that are updated in the background, and what it would be if they were built now. */
export const indexesOf = (path: string): readonly [found: unknown, expected: unknown] =>
  changeFile(path, (sqlite) => [sqlite.query(INDEXES).get(), sqlite.query(ROWS).get()]);

/** Runs statements on a file that nobody has open. */
export function changeFile<T>(path: string, work: (sqlite: Database) => T): T {
  const sqlite = new Database(path, { strict: true });
  try {
    return work(sqlite);
  } finally {
    sqlite.close(true);
  }
}
