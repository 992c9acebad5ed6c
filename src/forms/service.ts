import type { Clock } from "#core/time/clock.ts";
import { AppError, notFound, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Form } from "./form.ts";
import type { FormFigures } from "./form-figures.ts";
import { noSuchList } from "#lists/list-input.ts";
import { changeForm, type FormChange, type FormContent } from "./form-input.ts";
import type { FormStore } from "./store.ts";

export type FormService = ReturnType<typeof formService>;

/**
 * Every method that names a form throws AppError NOT_FOUND if the workspace has no such form or no such list.
 */
export function formService(parts: { forms: FormStore; clock: Clock; newId: NewId }) {
  const { forms, clock, newId } = parts;

  return {
    page: (workspaceId: string, request: PageRequest): Promise<Page<Form>> =>
      forms.page(workspaceId, request),

    find: async (workspaceId: string, id: string): Promise<Form> =>
      (await forms.find(workspaceId, id)) ?? gone(id),

    async create(workspaceId: string, content: FormContent): Promise<Form> {
      const created = await forms.insert(workspaceId, {
        ...content,
        id: newId("form"),
        createdAt: clock.now(),
      });
      return created ?? unwrap(noSuchList(content.listId ?? ""));
    },

    async change(workspaceId: string, id: string, change: FormChange): Promise<Form> {
      const changed = await forms.change(
        workspaceId,
        id,
        change.listId.kind === "set" ? [change.listId.value] : [],
        (current, knownLists) => changeForm(current, change, knownLists),
        clock.now(),
      );
      return changed === null ? gone(id) : unwrap(changed);
    },

    /** What became of its submissions. */
    figures: async (workspaceId: string, id: string): Promise<FormFigures> =>
      (await forms.figures(workspaceId, id)) ?? gone(id),

    /**
     * For `postrider form release`.
     * @throws AppError CONFLICT if none of its confirmation mail is held after a restore
     */
    async release(workspaceId: string, id: string): Promise<void> {
      const outcome = await forms.release(workspaceId, id);
      if (outcome === "not found") gone(id);
      if (outcome === "not held")
        throw new AppError("CONFLICT", `No mail of form ${id} is held: there is nothing to release.`);
    },

    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await forms.delete(workspaceId, id))) gone(id);
    },
  };
}

function gone(id: string): never {
  throw notFound(`The form ${id}`);
}
