import type { Database } from "bun:sqlite";
import { pageOf, type Page, type PageRequest } from "#core/page.ts";
import { searchTermOf } from "#storage/sqlite/search/search-text.ts";
import { required } from "#storage/sqlite/engine/required.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { lists } from "#storage/sqlite/schema/schema.ts";

export type ListRow = Row<typeof lists, "seq" | "id" | "name" | "createdAt"> & {
  readonly contactCount: number;
};

export const LIST_COLUMNS = `seq, id, name, created_at AS createdAt,
  (SELECT coalesce(sum(n), 0) FROM list_counts WHERE list = lists.seq) AS contactCount`;

/** Pages of a workspace's lists, newest first. With `q` the lists are read through: there are few of them. */
export function listPages(sqlite: Database) {
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT coalesce(sum(n), 0) AS n FROM record_counts WHERE workspace = ? AND kind = 'list'",
  );
  const countNamed = sqlite.query<{ n: number }, [number, string]>(
    "SELECT count(*) AS n FROM lists WHERE workspace = ? AND instr(search, ?) > 0",
  );
  const newest = sqlite.query<ListRow, [number, number, string, number]>(
    `SELECT ${LIST_COLUMNS} FROM lists
     WHERE workspace = ?1 AND seq < ?2 AND (?3 = '' OR instr(search, ?3) > 0) ORDER BY seq DESC LIMIT ?4`,
  );

  return {
    page<T>(workspace: number, q: string | null, request: PageRequest, item: (row: ListRow) => T): Page<T> {
      const term = searchTermOf(q ?? "");
      const total =
        term === "" ? required(count.get(workspace)).n : required(countNamed.get(workspace, term)).n;
      const rows = newest.all(workspace, request.before ?? Number.MAX_SAFE_INTEGER, term, request.limit + 1);
      return pageOf(rows, total, request.limit, { position: (row) => row.seq, item });
    },
  };
}
