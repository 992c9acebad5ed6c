import type { Database } from "bun:sqlite";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { suppressions } from "#storage/sqlite/schema/schema.ts";
import { searchInSlices, type Between } from "#storage/sqlite/search/search-in-slices.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";
import type { Suppression } from "#suppression/suppression.ts";
import type { SuppressionFilter } from "#suppression/suppression-input.ts";

/** How many index entries are read in one turn of the event loop: some milliseconds. */
const SLICE = 16_384;

type Reasons = readonly SuppressionReason[];
type Values = Readonly<Record<string, string | number>>;

type EntryRow = Row<typeof suppressions, "seq" | "reason" | "source" | "createdAt"> & {
  readonly email: Value<typeof suppressions, "address">;
};

/** A range of the index `suppressions_by_reason`: between `$after` and `$before`, both excluded. */
const BETWEEN = "s.workspace = $workspace AND s.seq > $after AND s.seq < $before";
const CONTAINS_TERM = "AND instr(s.address, $term) > 0";

/**
 * The newest `$rows` of a range. The index has a range for each reason. This merges their newest entries, at the
 * same cost however many there are.
 */
function pageSql(reasons: Reasons, only: string): string {
  const ranges = reasons.map(
    (reason) => `SELECT seq FROM (
      SELECT s.seq FROM suppressions AS s INDEXED BY suppressions_by_reason
      WHERE ${BETWEEN} AND s.reason = '${reason}' ${only} ORDER BY s.seq DESC LIMIT $rows)`,
  );
  return `SELECT s.seq, s.address AS email, s.reason, s.source, s.created_at AS createdAt
    FROM (${ranges.join(" UNION ALL ")} ORDER BY seq DESC LIMIT $rows) AS newest
    CROSS JOIN suppressions AS s ON s.seq = newest.seq ORDER BY newest.seq DESC`;
}

const among = (reasons: Reasons): string => `(${reasons.map((reason) => `'${reason}'`).join(", ")})`;

/** How many entries of a range have `$term` in their address; reads only the index. */
const foundSql = (reasons: Reasons): string =>
  `SELECT count(*) AS n FROM suppressions AS s INDEXED BY suppressions_by_reason
   WHERE ${BETWEEN} AND s.reason IN ${among(reasons)} ${CONTAINS_TERM}`;

/** Pages of a workspace's suppressions, newest first. */
export function suppressionPages(sqlite: Database) {
  const newest = sqlite.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM suppressions");

  const rowsOf = (reasons: Reasons, only: string, values: Values): EntryRow[] =>
    sqlite.query<EntryRow, [Values]>(pageSql(reasons, only)).all(values);

  const countOf = (workspace: number, reasons: Reasons): number =>
    present(
      sqlite
        .query<{ n: number }, [number]>(
          `SELECT coalesce(sum(n), 0) AS n FROM record_counts
           WHERE workspace = ? AND kind = 'suppression' AND status IN ${among(reasons)}`,
        )
        .get(workspace),
      "count of suppressions",
    ).n;

  const search = (
    workspace: number,
    reasons: Reasons,
    term: string,
    wanted: { readonly rows: number; readonly before: number },
  ): Promise<{ rows: EntryRow[]; total: number }> => {
    const found = sqlite.query<{ n: number }, [Values]>(foundSql(reasons));
    const end = (present(newest.get(), "newest suppression").seq ?? 0) + 1;
    const searched = {
      startOf: (before: number) => Math.max(0, Math.min(before, end) - SLICE - 1),
      count: (range: Between) => present(found.get({ workspace, term, ...range }), "slice of suppressions").n,
      newest: (range: Between, rows: number) =>
        rowsOf(reasons, CONTAINS_TERM, { workspace, term, ...range, rows }),
    };
    return searchInSlices(searched, wanted);
  };

  return async (
    workspace: number,
    { reason, q }: SuppressionFilter,
    request: PageRequest,
  ): Promise<Page<Suppression>> => {
    const reasons = reason === null ? SUPPRESSION_REASONS : [reason];
    const term = searchTermOf(q ?? "");
    const wanted = { rows: request.limit + 1, before: request.before ?? Number.MAX_SAFE_INTEGER };
    const { rows, total } =
      term === ""
        ? {
            rows: rowsOf(reasons, "", { workspace, after: 0, ...wanted }),
            total: countOf(workspace, reasons),
          }
        : await search(workspace, reasons, term, wanted);
    return pageOf(rows, total, request.limit, { position: ({ seq }) => seq, item: entryOf });
  };
}

const entryOf = ({ seq: _seq, ...entry }: EntryRow): Suppression => entry;
