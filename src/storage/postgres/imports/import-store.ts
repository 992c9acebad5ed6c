import { and, asc, count, desc, eq, gt, lt } from "drizzle-orm";
import { pageOf } from "#core/page.ts";
import { present } from "#core/present.ts";
import type { ImportJob, ImportStore, RunningImport } from "#imports/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
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
};

/** All of the store but the rows it keeps, which are written where contacts are. */
export function importStore(database: PostgresDatabase): Omit<ImportStore, "keep"> {
  const { read, write, seqOf } = database;
  return {
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

    async running() {
      return (await read((session) => session.rows<NextRow>(NEXT))).map(runningOf);
    },

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

/** What was said about the rows of an import, by line. */
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

type NextRow = Row<typeof imports, "id" | "linesDone" | "job"> & {
  readonly workspaceId: Value<typeof workspaces, "id">;
};

/** The oldest of each workspace. */
const NEXT = `SELECT i.id, i.lines_done, i.job, w.id AS workspace_id
  FROM (SELECT min(seq) AS seq FROM imports WHERE state = 'RUNNING' GROUP BY workspace) AS oldest
  JOIN imports AS i ON i.seq = oldest.seq JOIN workspaces AS w ON w.seq = i.workspace`;

const runningOf = ({ job, ...row }: NextRow): RunningImport => ({
  ...(JSON.parse(job) as ImportJob),
  ...row,
});
