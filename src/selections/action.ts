import { parseTags } from "#contacts/tags.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** What can be done with many contacts at once. */
export const ACTIONS = ["addTag", "removeTag", "addToList", "removeFromList", "delete"] as const;

export type Action =
  | { readonly kind: "addTag" | "removeTag"; readonly tag: string }
  | { readonly kind: "addToList" | "removeFromList"; readonly listId: string }
  | { readonly kind: "delete" };

type ActionBody = { readonly action?: unknown; readonly tag?: unknown; readonly listId?: unknown };

/** Reads `action` with its `tag` or `listId`. */
export function parseAction({ action, tag, listId }: ActionBody): Result<Action> {
  const kind = ACTIONS.find((known) => known === action);
  switch (kind) {
    case undefined:
      return invalid(`\`action\` must be one of ${ACTIONS.join(", ")}.`);
    case "delete":
      return accept({ kind });
    case "addToList":
    case "removeFromList":
      return typeof listId === "string" && listId !== ""
        ? accept({ kind, listId })
        : invalid(`\`listId\` is required with \`${kind}\`.`);
    case "addTag":
    case "removeTag": {
      const tags = typeof tag === "string" ? parseTags([tag]) : accept([]);
      if (!tags.ok) return tags;
      const [first] = tags.value;
      return first === undefined
        ? invalid(`\`tag\` is required with \`${kind}\`, and must not be empty.`)
        : accept({ kind, tag: first });
    }
  }
}

/** The tags after the action. Refused beyond the limit of a contact's tags. */
export function tagsAfter(
  tags: readonly string[],
  { kind, tag }: { readonly kind: "addTag" | "removeTag"; readonly tag: string },
): Result<readonly string[]> {
  return kind === "addTag" ? parseTags([...tags, tag]) : accept(tags.filter((each) => each !== tag));
}
