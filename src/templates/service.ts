import type { Clock } from "#core/time/clock.ts";
import { accept, invalid, notFound, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { TemplateStore } from "./store.ts";
import type { Template, TemplateContent, TemplateEntry } from "./template.ts";
import type { TemplateChange } from "./template-input.ts";

const TEMPLATES_MAX = 1_000;

export type TemplateService = ReturnType<typeof templateService>;

/** Every method that names a template throws AppError NOT_FOUND if the workspace has no such template. */
export function templateService(parts: { templates: TemplateStore; clock: Clock; newId: NewId }) {
  const { templates, clock, newId } = parts;

  return {
    page: (workspaceId: string, request: PageRequest): Promise<Page<TemplateEntry>> =>
      templates.page(workspaceId, request),

    find: async (workspaceId: string, id: string): Promise<Template> =>
      (await templates.find(workspaceId, id)) ?? gone(id),

    create: async (workspaceId: string, content: TemplateContent): Promise<Template> =>
      unwrap(
        await templates.insert(
          workspaceId,
          { ...content, id: newId("tpl"), createdAt: clock.now() },
          (count) =>
            count < TEMPLATES_MAX
              ? accept(null)
              : invalid(`A workspace has at most ${TEMPLATES_MAX} templates. Delete one first.`),
        ),
      ),

    async change(workspaceId: string, id: string, change: TemplateChange): Promise<Template> {
      const decide = (current: TemplateContent): TemplateContent => ({
        name: change.name ?? current.name,
        subject: change.subject ?? current.subject,
        format: change.format ?? current.format,
        body: change.body ?? current.body,
      });
      return (await templates.change(workspaceId, id, decide, clock.now())) ?? gone(id);
    },

    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await templates.delete(workspaceId, id))) gone(id);
    },
  };
}

function gone(id: string): never {
  throw notFound(`The template ${id}`);
}
