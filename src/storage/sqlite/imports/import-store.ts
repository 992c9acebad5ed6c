import type { Database } from "bun:sqlite";
import type { Import, RowMessage } from "#imports/import.ts";
import type { CsvFormat } from "#imports/csv/csv-format.ts";
import type { ImportJob, ImportStore, RunningImport } from "#imports/store.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { inATurnOrSlices } from "#storage/sqlite/engine/writes/in-slices.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { importMessages, imports, workspaces } from "#storage/sqlite/schema/schema.ts";
import { rowsForWebhooks } from "#storage/sqlite/webhooks/outbox-writes.ts";
import { importWrites } from "./import-writes.ts";

type ImportRecord = Row<
  typeof imports,
  | "seq"
  | "id"
  | "fileName"
  | "state"
  | "rows"
  | "created"
  | "updated"
  | "skipped"
  | "failed"
  | "createdAt"
  | "finishedAt"
  | "error"
  | "linesDone"
> & { readonly lines: number | null; /** JSON. */ readonly format: string };

const COLUMNS =
  "seq, id, file_name AS fileName, state, rows, created, updated, skipped, failed, created_at AS createdAt, finished_at AS finishedAt, error, lines_done AS linesDone, job ->> '$.lines' AS lines, job ->> '$.format' AS format";

export function importStore(database: SqliteDatabase, seqOf: WorkspaceSeq): ImportStore {
  const { sqlite, writes } = database;
  const insert = sqlite.query<null, (string | number)[]>(
    `INSERT INTO imports (id, workspace, file_name, state, job, lines_done, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const byId = sqlite.query<ImportRecord, [number, string]>(
    `SELECT ${COLUMNS} FROM imports WHERE workspace = ? AND id = ?`,
  );
  const newest = sqlite.query<ImportRecord, [number, number, number]>(
    `SELECT ${COLUMNS} FROM imports WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM imports WHERE workspace = ?",
  );
  const messagesOf = messagePages(sqlite);
  const allRunning = sqlite.query<Row<typeof imports, "id">, []>(
    "SELECT id FROM imports WHERE state = 'RUNNING'",
  );
  const next = sqlite.query<NextRow, []>(NEXT);
  const end = sqlite.query<null, [string, string | null, number, number, string]>(
    `UPDATE imports SET state = ?, error = ?, finished_at = ? WHERE workspace = ? AND id = ? AND state = 'RUNNING'`,
  );
  const rowsOf = rowsForWebhooks(sqlite);
  // So that its statements are defined when the store opens, as all are.
  importWrites(sqlite);

  return {
    rowsForWebhooks: async (workspaceId) => rowsOf(seqOf(workspaceId)),

    insert: (workspaceId, one, job) =>
      writes.write(() => {
        const { id, fileName, state, createdAt } = one;
        const stored = JSON.stringify(job);
        insert.run(id, seqOf(workspaceId), fileName, state, stored, job.headerLines, createdAt);
      }),

    find: async (workspaceId, id) => {
      const row = byId.get(seqOf(workspaceId), id);
      return row === null ? null : importOf(row);
    },

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = newest.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return pageOf(rows, present(count.get(workspace), "count of imports").n, limit, {
        position: ({ seq }) => seq,
        item: importOf,
      });
    },

    messages: async (workspaceId, id, request) => {
      const row = byId.get(seqOf(workspaceId), id);
      return row === null ? null : messagesOf(row.seq, request);
    },

    running: async () => next.all().map(runningOf),

    runningIds: async () => new Set(allRunning.all().map(({ id }) => id)),

    keep: (workspaceId, id, batch, rules) =>
      inATurnOrSlices(database, (connection) =>
        importWrites(connection)(seqOf(workspaceId), id, batch, rules),
      ),

    end: (workspaceId, id, { state, error, at }) =>
      writes.write(() => end.run(state, error, at, seqOf(workspaceId), id).changes > 0),
  };
}

/** The messages about the rows of an import, by line. */
function messagePages(sqlite: Database): (one: number, request: PageRequest) => Page<RowMessage> {
  const messagesAfter = sqlite.query<
    Row<typeof importMessages, "seq" | "line" | "message">,
    [number, number, number]
  >("SELECT seq, line, message FROM import_messages WHERE import = ? AND seq > ? ORDER BY seq LIMIT ?");
  const messageCount = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM import_messages WHERE import = ?",
  );
  return (one, { limit, before }) => {
    const rows = messagesAfter.all(one, before ?? 0, limit + 1);
    const total = present(messageCount.get(one), "count of messages").n;
    return pageOf(rows, total, limit, {
      position: ({ seq }) => seq,
      item: ({ line, message }) => ({ line, message }),
    });
  };
}

type NextRow = Row<typeof imports, "id" | "linesDone" | "job"> & {
  readonly workspaceId: Value<typeof workspaces, "id">;
};

/** The oldest of each workspace. */
const NEXT = `SELECT i.id, i.lines_done AS linesDone, i.job, w.id AS workspaceId
  FROM (SELECT min(seq) AS seq FROM imports WHERE state = 'RUNNING' GROUP BY workspace) AS oldest
  CROSS JOIN imports AS i ON i.seq = oldest.seq CROSS JOIN workspaces AS w ON w.seq = i.workspace`;

const runningOf = ({ job, ...row }: NextRow): RunningImport => ({
  ...(JSON.parse(job) as ImportJob),
  ...row,
});

const importOf = ({ seq: _seq, format, ...row }: ImportRecord): Import => ({
  ...row,
  format: JSON.parse(format) as CsvFormat,
});
