import { and, desc, eq, gte, lt, type SQL } from "drizzle-orm";
import { accept } from "#core/errors/errors.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Form } from "#forms/form.ts";
import type { FormContent } from "#forms/form-input.ts";
import type { FormStore } from "#forms/store.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { isSameForm } from "#storage/common/forms/same-form.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdLists } from "#storage/postgres/lists/hold-lists.ts";
import { forms, lists, mailings, workspaces } from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";
import { formFigures } from "./form-figures.ts";

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

export function formStore(database: PostgresDatabase): FormStore {
  return { ...reads(database), ...writesOf(database), figures: formFigures(database) };
}

const itself = (workspace: number, id: string): SQL | undefined =>
  and(eq(forms.workspace, workspace), eq(forms.id, id));

async function formOf({ orm }: Session, workspace: number, id: string): Promise<Form | null> {
  const [found] = await orm
    .select(SHOWN)
    .from(forms)
    .leftJoin(lists, eq(lists.seq, forms.list))
    .where(itself(workspace, id));
  return found ?? null;
}

type Reads = Pick<FormStore, "find" | "findPublic" | "page">;

function reads({ read, seqOf }: PostgresDatabase): Reads {
  return {
    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => formOf(session, workspace, id));
    },

    async findPublic(id) {
      const [found] = await read(({ orm }) =>
        orm
          .select({ form: SHOWN, workspaceId: workspaces.id })
          .from(forms)
          .innerJoin(workspaces, eq(workspaces.seq, forms.workspace))
          .leftJoin(lists, eq(lists.seq, forms.list))
          .where(eq(forms.id, id)),
      );
      return found ?? null;
    },

    async page(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const mine = eq(forms.workspace, workspace);
      const [rows, total] = await read((session) =>
        Promise.all([
          session.orm
            .select({ seq: forms.seq, form: SHOWN })
            .from(forms)
            .leftJoin(lists, eq(lists.seq, forms.list))
            .where(before === null ? mine : and(mine, lt(forms.seq, before)))
            .orderBy(desc(forms.seq))
            .limit(limit + 1),
          recordCount(session, workspace, "form"),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ form }) => form });
    },
  };
}

type Writes = Pick<FormStore, "insert" | "change" | "release" | "delete">;

function writesOf({ write, seqOf }: PostgresDatabase): Writes {
  return {
    async insert(workspaceId, { listId, ...form }) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const known = await holdLists(tx, workspace, listId === null ? [] : [listId]);
        if (listId !== null && !known.has(listId)) return null;
        const row = { ...form, workspace, list: seqIn(known, listId), updatedAt: form.createdAt };
        await tx.orm.insert(forms).values(row);
        return present(await formOf(tx, workspace, form.id), "form that was just made");
      });
    },

    async change(workspaceId, id, listIds, decide, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const known = await holdLists(tx, workspace, listIds);
        await tx.run("SELECT FROM forms WHERE workspace = $1 AND id = $2 FOR NO KEY UPDATE", [workspace, id]);
        const current = await formOf(tx, workspace, id);
        if (current === null) return null;
        const decided = decide(current, new Set(known.keys()));
        if (!decided.ok) return decided;
        if (isSameForm(current, decided.value)) return accept(current);
        const { listId, ...content }: FormContent = decided.value;
        const kept = listId === current.listId ? {} : { list: seqIn(known, listId) };
        await tx.orm
          .update(forms)
          .set({ ...content, ...kept, updatedAt: at })
          .where(itself(workspace, id));
        return accept(present(await formOf(tx, workspace, id), "form that was just changed"));
      });
    },

    async release(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        if ((await formOf(tx, workspace, id)) === null) return "not found";
        const released = tx.orm.update(mailings).set({ held: 0 }).where(heldMailOf(id));
        return (await released.returning({ seq: mailings.seq })).length > 0 ? "released" : "not held";
      });
    },

    async delete(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await write(async ({ orm }) => {
        const removed = orm.delete(forms).where(itself(workspace, id));
        return (await removed.returning({ id: forms.id })).length > 0;
      });
    },
  };
}

const seqIn = (known: ReadonlyMap<string, number>, listId: string | null): number | null =>
  listId === null ? null : (known.get(listId) ?? null);

/**
 * The sources of a form are its id and a digest (`forms/signup/confirmation.ts`). `:` is followed by `;` in ASCII.
 */
const heldMailOf = (id: string): SQL | undefined =>
  and(
    eq(mailings.kind, "confirmation"),
    gte(mailings.sourceId, `${id}:`),
    lt(mailings.sourceId, `${id};`),
    eq(mailings.held, HELD.copy),
    eq(mailings.phase, "sending"),
  );
