import type { Instant } from "#core/time/clock.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/**
 * Contact by contact, by the index of their messages: an index of opens would be written at each open, for a figure that
 * few look at. The mailing is looked up only of what was opened. OFFSET makes PostgreSQL find the contacts by their ids
 * before it looks at the workspace, also where it planned this while the workspace was small.
 */
export const LAST_OPENS = `SELECT c.id, o.at
  FROM (SELECT seq, id, workspace FROM contacts WHERE id = ANY($2::text[]) OFFSET 0) AS c CROSS JOIN LATERAL (
    SELECT max((SELECT d.opened_at FROM mailings AS m WHERE m.seq = d.mailing AND m.kind = 'campaign')) AS at
    FROM deliveries AS d WHERE d.contact = c.seq AND d.opened_at IS NOT NULL) AS o
  WHERE c.workspace = $1`;

/** `ContactStore.lastOpens`. */
export async function lastOpens(
  { rows }: Session,
  workspace: number,
  ids: readonly string[],
): Promise<Map<string, Instant>> {
  const found = await rows<{ readonly id: string; readonly at: Instant | null }>(LAST_OPENS, [
    workspace,
    ids,
  ]);
  return new Map(found.flatMap(({ id, at }) => (at === null ? [] : [[id, at]])));
}
