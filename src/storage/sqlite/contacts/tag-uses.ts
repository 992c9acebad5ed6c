import type { Database } from "bun:sqlite";
import type { TagUse } from "#contacts/tag-uses.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contactTags } from "#storage/sqlite/schema/schema.ts";

/**
 * From tag to tag of those that somebody has: each is one look at the index, however many contacts have it. The
 * counts would not do, because a tag that nobody has any more keeps its rows there, with 0.
 */
const USED = `WITH RECURSIVE used (tag) AS (
    SELECT * FROM (SELECT tag FROM contact_tags WHERE workspace = ?1 AND tag >= ?2 ORDER BY tag LIMIT 1)
    UNION ALL
    SELECT (SELECT t.tag FROM contact_tags AS t WHERE t.workspace = ?1 AND t.tag > used.tag ORDER BY t.tag LIMIT 1)
    FROM used WHERE used.tag IS NOT NULL LIMIT ?3)
  SELECT tag, (SELECT sum(c.n) FROM contact_counts AS c WHERE c.workspace = ?1 AND c.tag = used.tag) AS contacts
  FROM used WHERE tag IS NOT NULL`;

type UseRow = Row<typeof contactTags, "tag"> & { readonly contacts: number };

/** Reads no more rows than `most` tags can have, however many there are or were. */
export function tagUses(sqlite: Database): (workspace: number, from: string, most: number) => TagUse[] {
  const uses = sqlite.query<UseRow, [number, string, number]>(USED);
  return (workspace, from, most) => uses.all(workspace, from, most);
}
