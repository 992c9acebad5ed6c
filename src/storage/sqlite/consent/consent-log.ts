import type { Database } from "bun:sqlite";
import type { ConsentRecord } from "#contacts/consent-entry.ts";
import { pageOf, type PageRequest } from "#core/page.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { consentLog } from "#storage/sqlite/schema/schema.ts";

type EntryRow = Row<
  typeof consentLog,
  "seq" | "contactId" | "action" | "source" | "at" | "formId" | "clientAddress" | "userAgent" | "reason"
> & { readonly email: Value<typeof consentLog, "address"> };

/** A page of a workspace's consent log, newest first. */
export function consentLogPage(
  sqlite: Database,
  workspace: number,
  { limit, before }: PageRequest,
): { items: ConsentRecord[]; nextPosition: number | null } {
  const rows = sqlite
    .query<EntryRow, [number, number, number]>(
      `SELECT seq, address AS email, contact_id AS contactId, action, source, at, form_id AS formId,
         client_address AS clientAddress, user_agent AS userAgent, reason
       FROM consent_log WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
  const page = pageOf(rows, 0, limit, { position: (row) => row.seq, item: entryOf });
  return { items: [...page.items], nextPosition: page.nextPosition };
}

function entryOf({ seq: _seq, ...entry }: EntryRow): ConsentRecord {
  return entry;
}
