import { notFound } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import type { AttributeUse } from "./attribute.ts";
import type { AttributeStore } from "./store.ts";

export type AttributeService = ReturnType<typeof attributeService>;

export function attributeService({ attributes }: { attributes: AttributeStore }) {
  return {
    list: (workspaceId: string): Promise<AttributeUse[]> => attributes.list(workspaceId),

    /** @throws AppError NOT_FOUND if nobody has the name */
    async remove(workspaceId: string, name: string): Promise<void> {
      if (!(await attributes.remove(workspaceId, name))) throw notFound(`The attribute ${quoted(name)}`);
    },
  };
}
