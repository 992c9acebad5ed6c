import type { TimelineStore } from "#timeline/store.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { barringJoins } from "#storage/sqlite/ledger/moves/ledger-rows.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { blockedDomains, consentLog, suppressions } from "#storage/sqlite/schema/schema.ts";

type StandingRow = ContactRow & {
  readonly reason: Value<typeof suppressions, "reason"> | null;
  readonly suppressedAt: Value<typeof suppressions, "createdAt"> | null;
  readonly domainBlockedAt: Value<typeof blockedDomains, "createdAt"> | null;
};
type LogRow = Row<typeof consentLog, "action" | "source" | "at">;

/** Far more entries than any person has; a contact that is changed in an endless loop costs no more than this. */
const CONSENTS_MAX = 200;

/** `TimelineStore.standing`. */
export function personStanding({ sqlite }: SqliteDatabase, seqOf: WorkspaceSeq): TimelineStore["standing"] {
  const find = sqlite.query<StandingRow, [number, string]>(
    `SELECT ${CONTACT_COLUMNS}, s.reason, s.created_at AS suppressedAt, b.created_at AS domainBlockedAt
     FROM contacts AS c ${barringJoins("c.workspace", "c.email")} WHERE c.workspace = ? AND c.id = ?`,
  );
  const log = sqlite.query<LogRow, [string, number]>(
    "SELECT action, source, at FROM consent_log WHERE contact_id = ? AND list_id IS NULL ORDER BY seq DESC LIMIT ?",
  );

  return async (workspaceId, contactId) => {
    const workspace = seqOf(workspaceId);
    const row = find.get(workspace, contactId);
    if (row === null) return null;
    const { reason, suppressedAt, domainBlockedAt } = row;
    return {
      contact: contactOf(row),
      suppression: reason === null || suppressedAt === null ? null : { reason, createdAt: suppressedAt },
      domainBlockedAt,
      // Consent from an import is logged later than it was given.
      consents: log.all(contactId, CONSENTS_MAX).toSorted((a, b) => b.at - a.at),
    };
  };
}
