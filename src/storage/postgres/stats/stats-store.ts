import { COUNTED, type Counts } from "#stats/figures.ts";
import type { StatsStore } from "#stats/store.ts";
import { activityColumn } from "#storage/common/events/quarter-counts.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";

const SUMS = COUNTED.map((figure) => {
  const column = activityColumn(figure);
  return `coalesce(sum(a.${column}), 0)::int8 AS ${column}`;
});

/** The figures of each stretch between two instants, in their order. */
const BETWEEN = `SELECT s.n, ${SUMS.join(", ")}
  FROM unnest($2::int8[], $3::int8[]) WITH ORDINALITY AS s (lo, hi, n)
  LEFT JOIN activity_counts AS a ON a.workspace = $1 AND a.at >= s.lo AND a.at < s.hi
  GROUP BY s.n ORDER BY s.n`;

export function statsStore({ read, seqOf }: PostgresDatabase): StatsStore {
  return {
    async between(workspaceId, bounds) {
      const workspace = await seqOf(workspaceId);
      const values = [workspace, bounds.slice(0, -1), bounds.slice(1)];
      const rows = await read((session) => session.rows<Counts & { n: number }>(BETWEEN, values));
      return rows.map(({ n: _n, ...counts }) => counts);
    },
  };
}
