import type { Database } from "bun:sqlite";
import type { TagUse } from "#contacts/tag-uses.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contactCounts } from "#storage/sqlite/schema/schema.ts";

/** A tag has a row for each of the four statuses; a tag that nobody has any more keeps its rows, with 0. */
const ROWS_A_TAG = 4;

/** Reads no more rows than `most` tags can have, however many there are. */
export function tagUses(sqlite: Database): (workspace: number, from: string, most: number) => TagUse[] {
  const counts = sqlite.query<Row<typeof contactCounts, "tag" | "n">, [number, string, number]>(
    `SELECT tag, sum(n) AS n FROM
       (SELECT tag, n FROM contact_counts WHERE workspace = ? AND tag >= ? AND tag <> '' ORDER BY tag, status LIMIT ?)
     GROUP BY tag HAVING sum(n) > 0 ORDER BY tag`,
  );
  return (workspace, from, most) =>
    counts.all(workspace, from, most * ROWS_A_TAG).map(({ tag, n }) => ({ tag, contacts: n }));
}
