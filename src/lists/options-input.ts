import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { parseNameText, parseText } from "#core/text/name-text.ts";
import { isSent } from "#core/request/sent.ts";
import { DESCRIPTION_CHARACTERS_MAX, PUBLIC_LISTS_MAX, type ListOptions } from "./options.ts";
import type { ListOptionsBody } from "./schema.ts";

/** What PATCH /lists/{id}/options asks for. Undefined means "not sent". */
export type ListOptionsChange = { readonly [Field in keyof ListOptions]: ListOptions[Field] | undefined };

/** Reads the body of PATCH /lists/{id}/options. An empty text clears it; `null` means "not sent". */
export function parseListOptions(body: ListOptionsBody): Result<ListOptionsChange> {
  const { public: isPublic, publicName, description } = body;
  if (isSent(isPublic) && typeof isPublic !== "boolean") return invalid("`public` must be true or false.");
  const name = isSent(publicName) ? parseNameText("publicName", publicName) : accept(undefined);
  if (!name.ok) return name;
  const text = isSent(description)
    ? parseText("description", description, DESCRIPTION_CHARACTERS_MAX)
    : accept(undefined);
  if (!text.ok) return text;
  return accept({ public: isPublic ?? undefined, publicName: name.value, description: text.value });
}

/** A list's options after a change. `publicLists`: how many lists of the workspace are public now. */
export function changeListOptions(
  current: ListOptions,
  change: ListOptionsChange,
  publicLists: number,
): Result<ListOptions> {
  const options = {
    public: change.public ?? current.public,
    publicName: change.publicName ?? current.publicName,
    description: change.description ?? current.description,
  };
  return options.public && !current.public && publicLists >= PUBLIC_LISTS_MAX
    ? invalid(
        `A workspace has at most ${PUBLIC_LISTS_MAX} public lists. Take \`public\` off another one first.`,
      )
    : accept(options);
}
