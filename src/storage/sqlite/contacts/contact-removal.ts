import type { Database } from "bun:sqlite";
import { hasRows } from "#storage/sqlite/engine/has-rows.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { untilNone } from "#storage/sqlite/engine/writes/in-slices.ts";
import { contactOutbox } from "#storage/sqlite/webhooks/contact-outbox.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import { CONTACT_COLUMNS, contactOf, type ContactRow } from "./contact-row.ts";

type Removal = {
  readonly workspace: number;
  readonly id: string;
  readonly suppressionToAdd: (contact: Contact) => SuppressionReason | null;
  readonly at: Instant;
};

/** With fewer rows than this, the trigger that removes them with the contact takes only a few milliseconds. */
const SHORT_PAST = 200;

const PAST: readonly string[] = [
  "DELETE FROM list_departures WHERE seq IN (SELECT seq FROM list_departures WHERE contact = ? LIMIT ?)",
  "DELETE FROM automation_starts WHERE seq IN (SELECT seq FROM automation_starts WHERE contact = ? LIMIT ?)",
  "DELETE FROM automation_triggers WHERE seq IN (SELECT seq FROM automation_triggers WHERE contact = ? LIMIT ?)",
  "DELETE FROM enrollments WHERE seq IN (SELECT seq FROM enrollments WHERE contact = ? LIMIT ?)",
  "DELETE FROM events WHERE seq IN (SELECT seq FROM contact_events WHERE contact = ? LIMIT ?)",
  "DELETE FROM bounce_reports WHERE seq IN (SELECT seq FROM bounce_reports WHERE contact = ? LIMIT ?)",
  "DELETE FROM delivery_values WHERE delivery IN (SELECT delivery FROM delivery_values WHERE contact = ? LIMIT ?)",
  `DELETE FROM list_members WHERE (list, status, contact) IN
     (SELECT list, status, contact FROM list_members WHERE contact = ? LIMIT ?)`,
];

const MESSAGES = "SELECT seq FROM deliveries WHERE contact = ?1 ORDER BY seq LIMIT ?2";
/**
 * Messages stay, without the person and what was in their own links. Deleting the contact would do the same, with all
 * messages in one turn. The contact goes last, because the other statements find the messages by it.
 */
const FORGET: readonly string[] = [
  `UPDATE link_clicks SET url = '-' || seq WHERE recipients = 1 AND seq IN (
     SELECT c.link FROM delivery_clicks AS c JOIN link_clicks AS l ON l.seq = c.link
     WHERE c.delivery IN (${MESSAGES}) AND EXISTS (SELECT 1 FROM delivery_links AS o WHERE o.delivery = c.delivery AND o.url = l.url))`,
  `UPDATE delivery_links SET url = '' WHERE delivery IN (${MESSAGES})`,
  `UPDATE deliveries SET contact = NULL WHERE seq IN (${MESSAGES})`,
];

/**
 * Whether a contact has too many rows to be removed in one turn of the event loop. Events that are not indexed yet
 * do not count, because they are few.
 */
export const hasLongPast = (sqlite: Database, contact: number): boolean =>
  hasRows(sqlite, PAST_TABLES, { column: "contact", value: contact, count: SHORT_PAST });

const PAST_TABLES = [
  "list_departures",
  "automation_starts",
  "automation_triggers",
  "enrollments",
  "contact_events",
  "bounce_reports",
  "delivery_values",
  "list_members",
  "deliveries",
];

/** Removes a contact with all its rows, in slices. False: there is no such contact. */
export function* contactRemoval(
  sqlite: Database,
  { workspace, id, suppressionToAdd, at }: Removal,
): Generator<void, boolean, void> {
  const row = sqlite
    .query<ContactRow, [number, string]>(
      `SELECT ${CONTACT_COLUMNS} FROM contacts AS c WHERE c.workspace = ? AND c.id = ?`,
    )
    .get(workspace, id);
  if (row === null) return false;
  const { suppress, voidLinks } = consentWrites(sqlite);
  const contact = contactOf(row);
  const reason = suppressionToAdd(contact);
  // Only the API deletes contacts.
  if (reason !== null) suppress(workspace, { address: row.email, reason, source: "api", at });
  voidLinks(workspace, row.email, at);
  for (const sql of PAST) yield* untilNone(sqlite, [sql], row.seq);
  yield* untilNone(sqlite, FORGET, row.seq);
  contactOutbox(sqlite).deleted(workspace, contact, at);
  sqlite.query<null, [number]>("DELETE FROM contacts WHERE seq = ?").run(row.seq);
  return true;
}
