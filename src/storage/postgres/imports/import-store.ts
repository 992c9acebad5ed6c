import { and, asc, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { CsvFormat } from "#imports/csv/csv-format.ts";
import type { ImportJob, ImportStore, RunningImport } from "#imports/store.ts";
import { isAlive, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { importKeeping } from "./import-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { readableJsonIn } from "#storage/postgres/engine/readable-json.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import { importMessages, imports, type workspaces } from "#storage/postgres/schema/schema.ts";

const SHOWN = {
  id: imports.id,
  fileName: imports.fileName,
  state: imports.state,
  rows: imports.rows,
  created: imports.created,
  updated: imports.updated,
  skipped: imports.skipped,
  failed: imports.failed,
  createdAt: imports.createdAt,
  finishedAt: imports.finishedAt,
  error: imports.error,
  linesDone: imports.linesDone,
  lines: sql<number | null>`(${readableJsonIn(imports.job)} ->> 'lines')::int`,
  format: sql<CsvFormat>`(${readableJsonIn(imports.job)} -> 'format')`,
};

/** An import belongs to the node that first finds it as its workspace's next, until that node ends. */
export function importStore(database: PostgresDatabase, own: OwnNode): ImportStore {
  const { read, write, seqOf } = database;
  return {
    keep: importKeeping(database, own),
    running: runningImports(database, own),
    // The rows are the database's work, and other requests go on meanwhile.
    rowsForWebhooks: async () => 0,

    async insert(workspaceId, { id, fileName, state, createdAt }, job) {
      const workspace = await seqOf(workspaceId);
      const row = { id, workspace, fileName, state, job, linesDone: job.headerLines, createdAt };
      await write(({ orm }) => orm.insert(imports).values(row));
    },

    async find(workspaceId, id) {
      const itself = and(eq(imports.workspace, await seqOf(workspaceId)), eq(imports.id, id));
      const [found] = await read(({ orm }) => orm.select(SHOWN).from(imports).where(itself));
      return found ?? null;
    },

    async page(workspaceId, { limit, before }) {
      const mine = eq(imports.workspace, await seqOf(workspaceId));
      const [rows, [counted]] = await read(({ orm }) =>
        Promise.all([
          orm
            .select({ seq: imports.seq, one: SHOWN })
            .from(imports)
            .where(before === null ? mine : and(mine, lt(imports.seq, before)))
            .orderBy(desc(imports.seq))
            .limit(limit + 1),
          orm.select({ n: count() }).from(imports).where(mine),
        ]),
      );
      const total = present(counted, "count of imports").n;
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ one }) => one });
    },

    messages: messagePages(database),

    async runningIds() {
      const running = eq(imports.state, "RUNNING");
      const found = await read(({ orm }) => orm.select({ id: imports.id }).from(imports).where(running));
      return new Set(found.map(({ id }) => id));
    },

    async end(workspaceId, id, { state, error, at }) {
      const workspace = await seqOf(workspaceId);
      return (await write((tx) => tx.run(END, [state, error, at, workspace, id]))) > 0;
    },
  };
}

const END = `UPDATE imports SET state = $1, error = $2, finished_at = $3
  WHERE workspace = $4 AND id = $5 AND state = 'RUNNING'`;

/** The messages about the rows of an import, by line. */
function messagePages({ read, seqOf }: PostgresDatabase): ImportStore["messages"] {
  return async (workspaceId, id, { limit, before }) => {
    const itself = and(eq(imports.workspace, await seqOf(workspaceId)), eq(imports.id, id));
    const [one] = await read(({ orm }) => orm.select({ seq: imports.seq }).from(imports).where(itself));
    if (one === undefined) return null;
    const its = eq(importMessages.import, one.seq);
    const [rows, [counted]] = await read(({ orm }) =>
      Promise.all([
        orm
          .select()
          .from(importMessages)
          .where(and(its, gt(importMessages.seq, before ?? 0)))
          .orderBy(asc(importMessages.seq))
          .limit(limit + 1),
        orm.select({ n: count() }).from(importMessages).where(its),
      ]),
    );
    return pageOf(rows, present(counted, "count of messages").n, limit, {
      position: ({ seq }) => seq,
      item: ({ line, message }) => ({ line, message }),
    });
  };
}

type NextRow = Row<typeof imports, "seq" | "node" | "id" | "linesDone" | "job"> & {
  readonly workspaceId: Value<typeof workspaces, "id">;
};

/** The oldest of each workspace. */
const NEXT = `SELECT i.seq, i.node, i.id, i.lines_done, i.job, w.id AS workspace_id
  FROM (SELECT min(seq) AS seq FROM imports WHERE state = 'RUNNING' GROUP BY workspace) AS oldest
  JOIN imports AS i ON i.seq = oldest.seq JOIN workspaces AS w ON w.seq = i.workspace`;
const TAKE = `UPDATE imports SET node = $2 WHERE seq = ANY(ARRAY(
    SELECT seq FROM imports WHERE seq = ANY($1::int8[]) AND node IS NULL ORDER BY seq FOR NO KEY UPDATE SKIP LOCKED))
  AND ${isAlive("$2")}`;

/** A process that has not joined as a node takes no imports. */
function runningImports({ read, write }: PostgresDatabase, own: OwnNode): ImportStore["running"] {
  const next = () => read(({ rows }) => rows<NextRow>(NEXT));
  return async () => {
    const node = own.number;
    const free = (await next()).filter((one) => one.node === null);
    if (node === null) return free.map(runningOf);
    if (free.length > 0) await write((tx) => tx.run(TAKE, [free.map(({ seq }) => seq), node]));
    return (await next()).filter((one) => one.node === node).map(runningOf);
  };
}

const runningOf = ({ job, id, linesDone, workspaceId }: NextRow): RunningImport => ({
  ...(JSON.parse(job) as ImportJob),
  id,
  linesDone,
  workspaceId,
});
