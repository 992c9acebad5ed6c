import type { Database } from "bun:sqlite";
import { accept } from "#core/errors/errors.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { templates } from "#storage/sqlite/schema/schema.ts";
import { recordCount } from "#storage/sqlite/workspaces/record-count.ts";
import type { TemplateStore } from "#templates/store.ts";
import type { Template } from "#templates/template.ts";

type EntryRow = Row<
  typeof templates,
  "seq" | "id" | "name" | "subject" | "format" | "createdAt" | "updatedAt"
>;
type TemplateRow = EntryRow & Row<typeof templates, "body">;

const ENTRY = "seq, id, name, subject, format, created_at AS createdAt, updated_at AS updatedAt";

export function templateStore(database: SqliteDatabase, seqOf: WorkspaceSeq): TemplateStore {
  const { sqlite, writes } = database;
  const { byId, newest, insert, update, remove } = statements(sqlite);
  const countOf = recordCount(database);

  return {
    insert: (workspaceId, { id, name, subject, format, body, createdAt }, check) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const checked = check(countOf(workspace, "template"));
        if (!checked.ok) return checked;
        insert.run(id, workspace, name, subject, format, body, createdAt, createdAt);
        return accept({ id, name, subject, format, body, createdAt, updatedAt: createdAt });
      }),

    find: async (workspaceId, id) => {
      const row = byId.get(seqOf(workspaceId), id);
      return row === null ? null : withoutSeq(row);
    },

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = newest.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const read = { position: ({ seq }: EntryRow) => seq, item: withoutSeq<EntryRow> };
      return pageOf(rows, countOf(workspace, "template"), limit, read);
    },

    change: (workspaceId, id, decide, at) =>
      writes.write((): Template | null => {
        const workspace = seqOf(workspaceId);
        const row = byId.get(workspace, id);
        if (row === null) return null;
        const { name, subject, format, body } = decide(row);
        const isSame =
          name === row.name && subject === row.subject && format === row.format && body === row.body;
        if (isSame) return withoutSeq(row);
        update.run(name, subject, format, body, at, row.seq);
        return withoutSeq(present(byId.get(workspace, id), "template that was just changed"));
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const row = byId.get(seqOf(workspaceId), id);
        if (row !== null) remove.run(row.seq);
        return row !== null;
      }),
  };
}

function withoutSeq<R extends EntryRow>({ seq: _seq, ...row }: R): Omit<R, "seq"> {
  return row;
}

function statements(sqlite: Database) {
  return {
    byId: sqlite.query<TemplateRow, [number, string]>(
      `SELECT ${ENTRY}, body FROM templates WHERE workspace = ? AND id = ?`,
    ),
    newest: sqlite.query<EntryRow, [number, number, number]>(
      `SELECT ${ENTRY} FROM templates WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    ),
    insert: sqlite.query<null, (string | number)[]>(
      `INSERT INTO templates (id, workspace, name, subject, format, body, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: sqlite.query<null, (string | number)[]>(
      "UPDATE templates SET name = ?, subject = ?, format = ?, body = ?, updated_at = ? WHERE seq = ?",
    ),
    remove: sqlite.query<null, [number]>("DELETE FROM templates WHERE seq = ?"),
  };
}
