import type { RunStore } from "#automations/run/store.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { automations } from "#storage/postgres/schema/schema.ts";

/** The next work of each LIVE automation: a run's turn, or a trigger. */
const HEADS = `SELECT a.seq AS number, a.id, a.workspace, a.flow_version, r.at AS run_at, s.at AS start_at,
    least(r.at, s.at) AS due_at
  FROM automations AS a
  LEFT JOIN LATERAL (SELECT next_run_at AS at FROM enrollments
    WHERE automation = a.seq AND status = 'ACTIVE' ORDER BY next_run_at LIMIT 1) AS r ON true
  LEFT JOIN LATERAL (SELECT next_try_at AS at FROM automation_starts
    WHERE automation = a.seq ORDER BY next_try_at LIMIT 1) AS s ON true
  WHERE a.status = 'LIVE'`;
const DUE = `SELECT h.number, h.id, w.id AS workspace_id, h.flow_version, h.due_at,
    coalesce(h.start_at <= $1, false) AS has_starts
  FROM (${HEADS}) AS h JOIN workspaces AS w ON w.seq = h.workspace WHERE h.due_at <= $1 ORDER BY h.number`;
const NEXT_DUE = `SELECT coalesce((SELECT created_at FROM automation_triggers ORDER BY seq LIMIT 1),
  (SELECT min(due_at) FROM (${HEADS}) AS h)) AS at`;

type DueRow = Row<typeof automations, "id" | "flowVersion"> & {
  readonly number: number;
  readonly workspaceId: string;
  readonly dueAt: number;
  readonly hasStarts: boolean;
};

/** Which automations have work to do, and when. */
export function runSchedule({
  read,
  onWritten,
}: PostgresDatabase): Pick<RunStore, "due" | "nextDueAt" | "onStarts"> {
  return {
    due: (now) => read(({ rows }) => rows<DueRow>(DUE, [now])),

    async nextDueAt() {
      const next = await read(({ row }) => row<{ at: number | null }>(NEXT_DUE));
      return present(next, "time of the next run").at;
    },

    onStarts: (listener) => onWritten("starts", listener),
  };
}
