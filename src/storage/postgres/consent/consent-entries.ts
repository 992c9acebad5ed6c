import type { Session } from "#storage/postgres/engine/session.ts";
import type { ConsentOf } from "#storage/common/consent/consent-write.ts";

const LOG = `INSERT INTO consent_log (workspace, contact_id, address, action, source, at, form_id, client_address,
    user_agent, reason, list_id)
  SELECT $1, e.contact_id, e.address, e.action, e.source, e.at, e.form_id, e.client_address, e.user_agent, e.reason, e.list_id
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int8[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
      $12::bool[])
    WITH ORDINALITY AS e (contact_id, address, action, source, at, form_id, client_address, user_agent, reason, list_id, is_once, n)
  WHERE NOT (e.is_once AND EXISTS (SELECT FROM consent_log AS l WHERE l.workspace = $1 AND l.address = e.address
    AND l.contact_id = e.contact_id AND l.action = e.action AND l.source = e.source AND l.at = e.at))
  ORDER BY e.n`;

/** Writes entries of the consent log, in their order, on an open transaction. */
export async function logConsents(
  tx: Session,
  workspace: number,
  entries: readonly ConsentOf[],
): Promise<void> {
  if (entries.length === 0) return;
  const column = <T>(read: (of: ConsentOf) => T): T[] => entries.map(read);
  await tx.run(LOG, [
    workspace,
    column(({ person }) => person.id),
    column(({ person }) => person.email),
    column(({ entry }) => entry.action),
    column(({ entry }) => entry.source),
    column(({ entry }) => entry.at),
    column(({ entry }) => entry.formId),
    column(({ entry }) => entry.clientAddress),
    column(({ entry }) => entry.userAgent),
    column(({ entry }) => entry.reason ?? null),
    column(({ entry }) => entry.listId ?? null),
    column(({ entry }) => entry.isOnce ?? false),
  ]);
}
