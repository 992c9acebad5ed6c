import type { FormFigures } from "#forms/form-figures.ts";
import type { FormStore } from "#forms/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";

const FIGURES = `SELECT a.asked, a.confirmed, j.joined, j.gone AS left
  FROM forms AS f
  CROSS JOIN LATERAL (SELECT count(*) AS asked, count(confirmed_at) AS confirmed FROM confirmations WHERE form_id = f.id) AS a
  CROSS JOIN LATERAL (SELECT count(*) AS joined, count(*) FILTER (WHERE coalesce(c.status, '') <> 'SUBSCRIBED') AS gone
    FROM consent_log AS l LEFT JOIN contacts AS c ON c.id = l.contact_id
    WHERE l.form_id = f.id AND l.action = 'GIVEN') AS j
  WHERE f.workspace = $1 AND f.id = $2`;

/** Counts a form's submissions. */
export function formFigures({ read, seqOf }: PostgresDatabase): FormStore["figures"] {
  return async (workspaceId, id) => {
    const workspace = await seqOf(workspaceId);
    return await read(({ row }) => row<FormFigures>(FIGURES, [workspace, id]));
  };
}
