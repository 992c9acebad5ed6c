import type { Database } from "bun:sqlite";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { campaigns } from "#storage/sqlite/schema/schema.ts";

type Named = Row<typeof campaigns, "id" | "name">;

/** Where the names are of each kind of thing that the log mentions and that may still exist. */
const NAMED = [
  ["campaigns", "name", ""],
  ["automations", "name", "AND t.status <> 'DELETED'"],
  ["contacts", "email", ""],
  ["imports", "file_name", ""],
  ["webhooks", "url", ""],
] as const;

const namesIn = ([table, column, condition]: (typeof NAMED)[number]): string =>
  `SELECT t.id, t.${column} AS name FROM json_each(?2) AS wanted CROSS JOIN ${table} AS t ON t.id = wanted.value
   WHERE t.workspace = ?1 ${condition}`;

/** The current names of the things with these ids. The ids are passed as a JSON array. */
export function targetNames(sqlite: Database) {
  const named = sqlite.query<Named, [number, string]>(NAMED.map(namesIn).join(" UNION ALL "));
  return (workspace: number, ids: readonly string[]): ReadonlyMap<string, string> =>
    new Map(named.all(workspace, JSON.stringify(ids)).map(({ id, name }) => [id, name]));
}
