import { and, desc, eq, lt } from "drizzle-orm";
import { accept } from "#core/errors/errors.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { templates } from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";
import type { TemplateStore } from "#templates/store.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";

const ENTRY = {
  id: templates.id,
  name: templates.name,
  subject: templates.subject,
  format: templates.format,
  createdAt: templates.createdAt,
  updatedAt: templates.updatedAt,
};
const WHOLE = { ...ENTRY, body: templates.body };

export function templateStore({ read, write, seqOf }: PostgresDatabase): TemplateStore {
  return {
    async insert(workspaceId, template, check) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        // The rule depends on how many there are, so no two are added at the same time.
        await lockWorkspace(tx, workspace);
        const checked = check(await recordCount(tx, workspace, "template"));
        if (!checked.ok) return checked;
        const made = { ...template, updatedAt: template.createdAt };
        await tx.orm.insert(templates).values({ ...made, workspace });
        return accept(made);
      });
    },

    async find(workspaceId, id) {
      const itself = and(eq(templates.workspace, await seqOf(workspaceId)), eq(templates.id, id));
      const [found] = await read(({ orm }) => orm.select(WHOLE).from(templates).where(itself));
      return found ?? null;
    },

    async page(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const mine = eq(templates.workspace, workspace);
      const [rows, total] = await read((session) =>
        Promise.all([
          session.orm
            .select({ seq: templates.seq, entry: ENTRY })
            .from(templates)
            .where(before === null ? mine : and(mine, lt(templates.seq, before)))
            .orderBy(desc(templates.seq))
            .limit(limit + 1),
          recordCount(session, workspace, "template"),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ entry }) => entry });
    },

    async change(workspaceId, id, decide, at) {
      const itself = and(eq(templates.workspace, await seqOf(workspaceId)), eq(templates.id, id));
      return await write(async ({ orm }) => {
        const [row] = await orm.select(WHOLE).from(templates).where(itself).for("no key update");
        if (row === undefined) return null;
        const { name, subject, format, body } = decide(row);
        const isSame =
          name === row.name && subject === row.subject && format === row.format && body === row.body;
        if (isSame) return row;
        const change = { name, subject, format, body, updatedAt: at };
        const [changed] = await orm.update(templates).set(change).where(itself).returning(WHOLE);
        return present(changed, "template that was just changed");
      });
    },

    async delete(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const remove = "DELETE FROM templates WHERE workspace = $1 AND id = $2";
      return (await write((tx) => tx.run(remove, [workspace, id]))) > 0;
    },
  };
}
