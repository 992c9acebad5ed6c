/**
 * A list that is being removed has another id, until its members are removed too. So nobody finds it, and
 * nothing can be put on it. A part of that id is random, because a request may name any id that can be guessed.
 * Who finds lists in another way leaves it out.
 */
import { present } from "#core/present.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/** How these ids begin. */
export const HIDDEN = "removed:";

/** A range of the index of ids, which are compared by their bytes. */
export const isHidden = (id: string): string => `${id} LIKE '${HIDDEN}%'`;

export const hiddenId = (id: string): string => `'${HIDDEN}' || gen_random_uuid() || ':' || ${id}`;

/**
 * The id that the list had: a person's timeline shows it for as long as the membership is there. The random part may
 * be missing, because the first code that hid lists wrote none.
 */
export const ownId = (id: string): string => `regexp_replace(${id}, '^${HIDDEN}([0-9a-f-]{36}:)?', '')`;

// In one statement: the list of a removal that ends meanwhile is in both counts, or in none.
const COUNT = `SELECT (SELECT coalesce(sum(n), 0)::int8 FROM record_counts WHERE workspace = $1 AND kind = 'list')
  - (SELECT count(*) FROM lists WHERE workspace = $1 AND ${isHidden("id")}) AS n`;

/** How many lists a workspace has, without the hidden ones. */
export async function listCount({ row }: Session, workspace: number): Promise<number> {
  return present(await row<{ n: number }>(COUNT, [workspace]), "count of lists").n;
}
