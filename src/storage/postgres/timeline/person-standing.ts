import type { TimelineStore } from "#timeline/store.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { blockedDomains, consentLog, suppressions } from "#storage/postgres/schema/schema.ts";

type StandingRow = ContactRow & {
  readonly reason: Value<typeof suppressions, "reason"> | null;
  readonly suppressedAt: Value<typeof suppressions, "createdAt"> | null;
  readonly domainBlockedAt: Value<typeof blockedDomains, "createdAt"> | null;
};
type LogRow = Row<typeof consentLog, "action" | "source" | "at">;

const STANDING = `SELECT ${CONTACT_COLUMNS}, s.reason, s.created_at AS suppressed_at, b.created_at AS domain_blocked_at
  FROM contacts AS c LEFT JOIN contact_attributes AS a ON a.contact = c.seq
  LEFT JOIN suppressions AS s ON s.workspace = c.workspace AND s.address = c.email
  LEFT JOIN blocked_domains AS b ON b.workspace = c.workspace AND b.domain = substr(c.email, strpos(c.email, '@') + 1)
  WHERE c.workspace = $1 AND c.id = $2`;
/** Far more entries than any person has; a contact that is changed in an endless loop costs no more than this. */
const CONSENTS = `SELECT action, source, at FROM consent_log WHERE contact_id = $1 AND list_id IS NULL
  ORDER BY seq DESC LIMIT 200`;

/** `TimelineStore.standing`. */
export const personStanding =
  ({ read, seqOf }: PostgresDatabase): TimelineStore["standing"] =>
  async (workspaceId, contactId) => {
    const workspace = await seqOf(workspaceId);
    return await read(async (session) => {
      const row = await session.row<StandingRow>(STANDING, [workspace, contactId]);
      if (row === null) return null;
      const { reason, suppressedAt, domainBlockedAt, ...contact } = row;
      const log = await session.rows<LogRow>(CONSENTS, [contactId]);
      return {
        contact: contactOf(contact),
        suppression: reason === null || suppressedAt === null ? null : { reason, createdAt: suppressedAt },
        domainBlockedAt,
        // Consent from an import is logged later than it was given.
        consents: log.toSorted((a, b) => b.at - a.at),
      };
    });
  };
