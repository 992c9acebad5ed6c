import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import { accept } from "#core/errors/errors.ts";
import { pageOf } from "#core/request/page.ts";
import type { Form } from "#forms/form.ts";
import type { FormContent } from "#forms/form-input.ts";
import type { FormStore } from "#forms/store.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { isSameForm } from "#storage/common/forms/same-form.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { formFigures } from "./form-figures.ts";
import { listSeq } from "#storage/sqlite/lists/list-seq.ts";
import { forms } from "#storage/sqlite/schema/tables/forms.ts";
import { mailings } from "#storage/sqlite/schema/tables/ledger.ts";
import { lists } from "#storage/sqlite/schema/tables/lists.ts";
import { workspaces } from "#storage/sqlite/schema/tables/workspaces.ts";
import { recordCount } from "#storage/sqlite/workspaces/record-count.ts";

const SHOWN = {
  id: forms.id,
  name: forms.name,
  listId: lists.id,
  fields: forms.fields,
  style: forms.style,
  successMessage: forms.successMessage,
  createdAt: forms.createdAt,
  updatedAt: forms.updatedAt,
};

export function formStore(database: SqliteDatabase, seqOf: WorkspaceSeq): FormStore {
  return { ...reads(database, seqOf), ...formFigures(database, seqOf), ...writesOf(database, seqOf) };
}

/** A form by its id in its workspace. */
function formFinder({ orm }: SqliteDatabase): (workspace: number, id: string) => Form | null {
  const byId = orm
    .select(SHOWN)
    .from(forms)
    .leftJoin(lists, eq(lists.seq, forms.list))
    .where(and(eq(forms.workspace, sql.placeholder("workspace")), eq(forms.id, sql.placeholder("id"))))
    .prepare();
  return (workspace, id) => byId.get({ workspace, id }) ?? null;
}

type Reads = Pick<FormStore, "find" | "findPublic" | "page">;

function reads(database: SqliteDatabase, seqOf: WorkspaceSeq): Reads {
  const { orm } = database;
  const formOf = formFinder(database);
  const countAll = recordCount(database);
  const publicById = orm
    .select({ form: SHOWN, workspaceId: workspaces.id })
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.seq, forms.workspace))
    .leftJoin(lists, eq(lists.seq, forms.list))
    .where(eq(forms.id, sql.placeholder("id")))
    .prepare();

  return {
    find: async (workspaceId, id) => formOf(seqOf(workspaceId), id),

    findPublic: async (id) => publicById.get({ id }) ?? null,

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const mine = eq(forms.workspace, workspace);
      const rows = orm
        .select({ seq: forms.seq, form: SHOWN })
        .from(forms)
        .leftJoin(lists, eq(lists.seq, forms.list))
        .where(before === null ? mine : and(mine, lt(forms.seq, before)))
        .orderBy(desc(forms.seq))
        .limit(limit + 1)
        .all();
      const total = countAll(workspace, "form");
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ form }) => form });
    },
  };
}

type Writes = Pick<FormStore, "insert" | "change" | "release" | "delete">;

function writesOf(database: SqliteDatabase, seqOf: WorkspaceSeq): Writes {
  const { sqlite, orm, writes } = database;
  const formOf = formFinder(database);
  const seqOfList = listSeq(sqlite);

  const ofForm = (workspace: number, id: string) => and(eq(forms.workspace, workspace), eq(forms.id, id));
  const columnsOf = (workspace: number, { listId, ...content }: FormContent) => ({
    ...content,
    list: listId === null ? null : seqOfList(workspace, listId),
  });

  return {
    insert: (workspaceId, form) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const columns = columnsOf(workspace, form);
        if (form.listId !== null && columns.list === null) return null;
        const { id, createdAt } = form;
        orm
          .insert(forms)
          .values({ ...columns, id, workspace, createdAt, updatedAt: createdAt })
          .run();
        return present(formOf(workspace, id), "form that was just made");
      }),

    change: (workspaceId, id, listIds, decide, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const current = formOf(workspace, id);
        if (current === null) return null;
        const known = listIds.filter((listId) => seqOfList(workspace, listId) !== null);
        const decided = decide(current, new Set(known));
        if (!decided.ok) return decided;
        if (isSameForm(current, decided.value)) return accept(current);
        orm
          .update(forms)
          .set({ ...columnsOf(workspace, decided.value), updatedAt: at })
          .where(ofForm(workspace, id))
          .run();
        return accept(present(formOf(workspace, id), "form that was just changed"));
      }),

    release: (workspaceId, id) =>
      writes.write(() => {
        if (formOf(seqOf(workspaceId), id) === null) return "not found";
        const released = orm.update(mailings).set({ held: 0 }).where(heldMailOf(id));
        return released.returning({ seq: mailings.seq }).all().length > 0 ? "released" : "not held";
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const removed = orm.delete(forms).where(ofForm(seqOf(workspaceId), id));
        return removed.returning({ id: forms.id }).all().length > 0;
      }),
  };
}

/**
 * The sources of a form are its id and a digest (`forms/signup/confirmation.ts`). `:` is followed by `;` in ASCII.
 */
const heldMailOf = (id: string) =>
  and(
    eq(mailings.kind, "confirmation"),
    gte(mailings.sourceId, `${id}:`),
    lt(mailings.sourceId, `${id};`),
    eq(mailings.held, HELD.copy),
    eq(mailings.phase, "sending"),
  );
