import type { ConsentRecord } from "#contacts/consent/consent-entry.ts";
import type { ConsentFilter } from "#contacts/consent/consent-filter.ts";
import { and, desc, eq, lt } from "drizzle-orm";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { consentLog } from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";

const SHOWN = {
  email: consentLog.address,
  contactId: consentLog.contactId,
  action: consentLog.action,
  source: consentLog.source,
  at: consentLog.at,
  formId: consentLog.formId,
  clientAddress: consentLog.clientAddress,
  userAgent: consentLog.userAgent,
  reason: consentLog.reason,
  listId: consentLog.listId,
};

/** A page of a workspace's consent log, newest first. A single person has few entries, so they are counted. */
export async function consentLogPage(
  session: Session,
  workspace: number,
  { email, contactId }: ConsentFilter,
  { limit, before }: PageRequest,
): Promise<Page<ConsentRecord>> {
  const wanted = and(
    eq(consentLog.workspace, workspace),
    email === null ? undefined : eq(consentLog.address, email),
    contactId === null ? undefined : eq(consentLog.contactId, contactId),
  );
  const isAll = email === null && contactId === null;
  const [rows, total] = await Promise.all([
    session.orm
      .select({ seq: consentLog.seq, entry: SHOWN })
      .from(consentLog)
      .where(before === null ? wanted : and(wanted, lt(consentLog.seq, before)))
      .orderBy(desc(consentLog.seq))
      .limit(limit + 1),
    isAll ? recordCount(session, workspace, "consent") : session.orm.$count(consentLog, wanted),
  ]);
  return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ entry }) => entry });
}
