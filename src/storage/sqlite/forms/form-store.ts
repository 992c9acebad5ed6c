import type { Database } from "bun:sqlite";
import { accept } from "#core/errors.ts";
import type { JsonObject } from "#core/json-value.ts";
import { pageOf } from "#core/page.ts";
import type { Form } from "#forms/form.ts";
import type { FormContent } from "#forms/form-input.ts";
import type { FormStore } from "#forms/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { required } from "#storage/sqlite/engine/required.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { forms, lists, workspaces } from "#storage/sqlite/schema/schema.ts";

type FormRow = Row<
  typeof forms,
  "seq" | "id" | "name" | "fields" | "style" | "successMessage" | "createdAt" | "updatedAt"
> & {
  readonly workspaceId: Value<typeof workspaces, "id">;
  readonly listId: Value<typeof lists, "id"> | null;
};

const FORM = `SELECT f.seq, f.id, w.id AS workspaceId, f.name, l.id AS listId, f.fields, f.style,
    f.success_message AS successMessage, f.created_at AS createdAt, f.updated_at AS updatedAt
  FROM forms AS f CROSS JOIN workspaces AS w ON w.seq = f.workspace LEFT JOIN lists AS l ON l.seq = f.list`;

export function formStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): FormStore {
  const byId = sqlite.query<FormRow, [number, string]>(`${FORM} WHERE f.workspace = ? AND f.id = ?`);
  const publicById = sqlite.query<FormRow, [string]>(`${FORM} WHERE f.id = ?`);
  const newest = sqlite.query<FormRow, [number, number, number]>(
    `${FORM} WHERE f.workspace = ? AND f.seq < ? ORDER BY f.seq DESC LIMIT ?`,
  );
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT coalesce(sum(n), 0) AS n FROM record_counts WHERE workspace = ? AND kind = 'form'",
  );
  const insert = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO forms (name, list, fields, style, success_message, updated_at, id, workspace, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = sqlite.query<null, (string | number | null)[]>(
    "UPDATE forms SET name = ?, list = ?, fields = ?, style = ?, success_message = ?, updated_at = ? WHERE seq = ?",
  );
  const remove = sqlite.query<null, [number, string]>("DELETE FROM forms WHERE workspace = ? AND id = ?");
  const letGo = sqlite.query<null, [string, string]>(
    `UPDATE mailings SET held = 0 WHERE kind = 'confirmation' AND source_id >= ? AND source_id < ? AND held = 1 AND phase = 'sending'`,
  );
  const listSeq = listSeqOf(sqlite);

  const columnsOf = (workspace: number, form: FormContent, at: number) => [
    form.name,
    form.listId === null ? null : listSeq(workspace, form.listId),
    JSON.stringify(form.fields),
    JSON.stringify(form.style),
    form.successMessage,
    at,
  ];

  return {
    insert: (workspaceId, form) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        if (form.listId !== null && listSeq(workspace, form.listId) === null) return null;
        insert.run(...columnsOf(workspace, form, form.createdAt), form.id, workspace, form.createdAt);
        return formOf(required(byId.get(workspace, form.id)));
      }),

    find: async (workspaceId, id) => {
      const row = byId.get(seqOf(workspaceId), id);
      return row === null ? null : formOf(row);
    },

    findPublic: async (id) => {
      const row = publicById.get(id);
      return row === null ? null : { form: formOf(row), workspaceId: row.workspaceId };
    },

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = newest.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return pageOf(rows, required(count.get(workspace)).n, limit, {
        position: (row) => row.seq,
        item: formOf,
      });
    },

    change: (workspaceId, id, decide, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const row = byId.get(workspace, id);
        if (row === null) return null;
        const current = formOf(row);
        const decided = decide(current, (listId) => listSeq(workspace, listId) !== null);
        if (!decided.ok) return decided;
        if (isSame(current, decided.value)) return accept(current);
        update.run(...columnsOf(workspace, decided.value, at), row.seq);
        return accept(formOf(required(byId.get(workspace, id))));
      }),

    release: (workspaceId, id) =>
      writes.write(() => {
        if (byId.get(seqOf(workspaceId), id) === null) return "not found";
        // The sources of a form are its id and a digest (`forms/confirmation.ts`); `:` is followed by `;` in ASCII.
        return letGo.run(`${id}:`, `${id};`).changes > 0 ? "released" : "not held";
      }),

    delete: (workspaceId, id) => writes.write(() => remove.run(seqOf(workspaceId), id).changes > 0),
  };
}

function listSeqOf(sqlite: Database) {
  const find = sqlite.query<Row<typeof lists, "seq">, [number, string]>(
    "SELECT seq FROM lists WHERE workspace = ? AND id = ?",
  );
  return (workspace: number, listId: string): number | null => find.get(workspace, listId)?.seq ?? null;
}

function formOf({ seq: _seq, workspaceId: _workspaceId, fields, style, ...row }: FormRow): Form {
  return { ...row, fields: JSON.parse(fields) as string[], style: JSON.parse(style) as JsonObject };
}

function isSame(a: FormContent, b: FormContent): boolean {
  const written = ({ name, listId, fields, style, successMessage }: FormContent) =>
    JSON.stringify([name, listId, fields, style, successMessage]);
  return written(a) === written(b);
}
