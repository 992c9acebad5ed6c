import { accept, invalid, refuse, type Result } from "#core/errors/errors.ts";
import { absent, clear, set, type Patch } from "#core/request/patch.ts";
import { parseRequiredName } from "#core/text/name-text.ts";
import { quoted } from "#core/text/text.ts";
import type { ListContent } from "./list.ts";
import type { ListBody, ListMembersBody } from "./schema.ts";

const IDS_NAMED_MAX = 20;

/** Reads the body of POST /lists and of PATCH /lists/{id}: both need a name. */
export function parseListContent(body: ListBody): Result<ListContent> {
  const name = parseRequiredName(body.name);
  return name.ok ? accept({ name: name.value }) : name;
}

/**
 * Reads the body of POST /lists/{id}/contacts: `contactIds` if it has a string, otherwise `contactId`
 * (docs/decisions.md "Lists"). Repeated ids stay repeated, because `missingIds` must see them.
 */
export function parseMembers(body: ListMembersBody): Result<string[]> {
  const entries: unknown[] = Array.isArray(body.contactIds) ? body.contactIds : [];
  const ids = entries.filter((entry) => typeof entry === "string");
  if (ids.length > 0) return accept(ids);
  if (typeof body.contactId === "string" && body.contactId !== "") return accept([body.contactId]);
  return invalid("Send `contactId`, a string, or `contactIds`, an array with at least one string.");
}

/**
 * The ids because of which nobody is added: those that are no contact of the workspace, and those sent more
 * than once (docs/contract.md "Lists", rules 1 and 2). Each is named once, in the order of the request.
 */
export function missingIds(requested: readonly string[], known: ReadonlySet<string>): string[] {
  const left = new Set(known);
  const missing = new Set<string>();
  for (const id of requested) if (!left.delete(id)) missing.add(id);
  return [...missing];
}

/** The message of the 404 for `missingIds`: names the first 20 ids and counts the rest. */
export function missingIdsMessage(ids: readonly string[]): string {
  const named = ids.slice(0, IDS_NAMED_MAX).join(", ");
  const more = ids.length > IDS_NAMED_MAX ? ` and ${ids.length - IDS_NAMED_MAX} more` : "";
  return `Nobody was added: these ids are not contacts of this workspace, or were sent twice: ${named}${more}.`;
}

/**
 * Reads the `listId` of a campaign or a form: an id, or null to remove the list. The caller checks that the
 * list exists.
 */
export function parseListId(value: string | null | undefined): Result<Patch<string>> {
  if (value === undefined) return accept(absent);
  if (value === null) return accept(clear);
  if (value === "") return invalid("`listId` must be the id of a list, or null for none.");
  return accept(set(value));
}

export const noSuchList = (listId: string) =>
  refuse("NOT_FOUND", `There is no list ${quoted(listId)} in this workspace.`);
