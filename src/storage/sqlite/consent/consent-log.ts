import type { Database } from "bun:sqlite";
import type { ConsentRecord } from "#contacts/consent/consent-entry.ts";
import type { ConsentFilter } from "#contacts/consent/consent-filter.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { consentLog } from "#storage/sqlite/schema/schema.ts";

type EntryRow = Row<
  typeof consentLog,
  | "seq"
  | "contactId"
  | "action"
  | "source"
  | "at"
  | "formId"
  | "clientAddress"
  | "userAgent"
  | "reason"
  | "listId"
> & { readonly email: Value<typeof consentLog, "address"> };

type Values = Readonly<Record<string, string | number>>;

const OF_ALL = `SELECT coalesce(sum(n), 0) AS n FROM record_counts WHERE workspace = $workspace AND kind = 'consent'`;

/** A page of a workspace's consent log, newest first. A single person has few entries, so they are counted. */
export function consentLogPage(
  sqlite: Database,
  workspace: number,
  { email, contactId }: ConsentFilter,
  { limit, before }: PageRequest,
): Page<ConsentRecord> {
  const values = {
    workspace,
    ...(email === null ? {} : { email }),
    ...(contactId === null ? {} : { contactId }),
  };
  const wanted = [
    // A contact has few entries among a million of the workspace: `+` keeps SQLite from the workspace's index.
    contactId === null ? "workspace = $workspace" : "+workspace = $workspace",
    ...(email === null ? [] : ["address = $email"]),
    ...(contactId === null ? [] : ["contact_id = $contactId"]),
  ].join(" AND ");
  const isAll = email === null && contactId === null;
  const rows = sqlite
    .query<EntryRow, [Values]>(
      `SELECT seq, address AS email, contact_id AS contactId, action, source, at, form_id AS formId,
         client_address AS clientAddress, user_agent AS userAgent, reason, list_id AS listId
       FROM consent_log WHERE ${wanted} AND seq < $before ORDER BY seq DESC LIMIT $rows`,
    )
    .all({ ...values, before: before ?? Number.MAX_SAFE_INTEGER, rows: limit + 1 });
  const total = sqlite.query<{ n: number }, [Values]>(
    isAll ? OF_ALL : `SELECT count(*) AS n FROM consent_log WHERE ${wanted}`,
  );
  const { n } = present(total.get(values), "count of consent entries");
  return pageOf(rows, n, limit, { position: (row) => row.seq, item: entryOf });
}

function entryOf({ seq: _seq, ...entry }: EntryRow): ConsentRecord {
  return entry;
}
