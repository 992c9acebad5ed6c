/**
 * What is held in a copy of a database until a person decides: everything that the original would send. That
 * includes future schedules, because the original may have sent them meanwhile.
 */
import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { NUMBERS_LEFT_OUT } from "#storage/common/engine/takeover.ts";
import { HELD_REASON } from "#webhooks/webhook.ts";
import { withoutPasswords } from "#workspaces/url-passwords.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { campaigns, workspaces } from "#storage/sqlite/schema/schema.ts";

/** Something that is held, a LIVE automation that is paused, or a mailbox that is not read. */
export type Held = {
  readonly kind: "campaign" | "automation" | "form" | "webhook" | "mailbox";
  /** Of a mailbox: the setting that names it. */
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly why: "under way" | "scheduled" | "live" | "mail queued" | "enabled" | "read";
  /** When it would have started; null if it has no time of its own. */
  readonly scheduledAt: number | null;
};

type HeldRow = Row<typeof campaigns, "id" | "name"> &
  Pick<Held, "kind" | "why" | "scheduledAt"> & { workspaceId: Value<typeof workspaces, "id"> };

const OWES = "m.phase IN ('planning', 'sending') AND (m.queued > 0 OR m.phase = 'planning')";
const CAMPAIGNS = `
  SELECT 'campaign' AS kind, c.id, c.name, w.id AS workspaceId, iif(c.mailing IS NULL AND m.seq IS NULL, 'scheduled', 'under way') AS why,
    iif(c.status = 'SCHEDULED', c.scheduled_at, NULL) AS scheduledAt
  FROM campaigns c JOIN workspaces w ON w.seq = c.workspace
  LEFT JOIN mailings m ON m.kind = 'campaign' AND m.source_id = c.id AND ${OWES}
  WHERE m.seq IS NOT NULL OR (c.status = 'SCHEDULED' AND c.mailing IS NULL)`;
/** A mailing's source begins with the id of its automation or form. */
const SOURCE = "substr(m.source_id, 1, instr(m.source_id || ':', ':') - 1)";
const queuedBy = (kind: string): string =>
  `SELECT ${SOURCE} FROM mailings m WHERE m.kind = '${kind}' AND m.phase = 'sending' AND m.queued > 0`;
const AUTOMATIONS = `
  SELECT 'automation', a.id, a.name, w.id, iif(a.status = 'LIVE', 'live', 'mail queued'), NULL
  FROM automations a JOIN workspaces w ON w.seq = a.workspace
  WHERE a.status = 'LIVE' OR (a.status <> 'DELETED' AND a.id IN (${queuedBy("automation")}))`;
const FORMS = `
  SELECT 'form', f.id, f.name, w.id, 'mail queued', NULL FROM forms f JOIN workspaces w ON w.seq = f.workspace
  WHERE f.id IN (${queuedBy("confirmation")})`;
/** A webhook has no name, but an address. */
const WEBHOOKS = `
  SELECT 'webhook', h.id, h.url, w.id, 'enabled', NULL FROM webhooks h JOIN workspaces w ON w.seq = h.workspace
  WHERE h.state = 'ENABLED'`;
const MAILBOXES = `
  SELECT 'mailbox', s.key, s.value, w.id, 'read', NULL FROM settings s JOIN workspaces w ON w.seq = s.workspace
  WHERE s.key = 'bounceMailbox' AND s.value <> ''`;

/** Campaigns, automations and forms that owe mail and are not held yet; without LIVE automations, which count as such. */
const OWING = `SELECT count(DISTINCT ${SOURCE}) AS n FROM mailings m WHERE ${OWES} AND m.held & ${HELD.copy} = 0
  AND NOT EXISTS (SELECT 1 FROM automations a WHERE a.id = ${SOURCE} AND a.status = 'LIVE')`;

/** What `holdCopied` will hold in this database. A database with an older schema does not have all tables. */
export function toBeHeld(sqlite: Database, hasTable: (name: string) => boolean): Held[] {
  if (!hasTable("mailings")) return [];
  const parts = [CAMPAIGNS];
  if (hasTable("automations")) parts.push(AUTOMATIONS);
  if (hasTable("forms")) parts.push(FORMS);
  if (hasTable("webhooks")) parts.push(WEBHOOKS);
  parts.push(MAILBOXES);
  const rows = sqlite.query<HeldRow, []>(parts.join(" UNION ALL ")).all();
  return rows.map((row) => (row.kind === "mailbox" ? { ...row, name: withoutPasswords(row.name) } : row));
}

/** As whoever pauses an automation keeps it (automations/automation-writes.ts). */
const KEEP_LISTENERS = `
  INSERT INTO automation_past_listeners (workspace, kind, detail, automation, since, until)
  SELECT workspace, kind, detail, automation, since, newest.seq
  FROM (SELECT max(seq) AS seq FROM automation_triggers) AS newest CROSS JOIN automation_listeners
  WHERE since < newest.seq`;

/**
 * Call it on an open transaction: everything that the original would continue is held until a person releases it,
 * and new messages get numbers that the original did not use. Webhooks store events but send nothing. Automations
 * are paused. When they are LIVE again, they continue from the state in the copy, so the steps that the original
 * performed since then may happen a second time. That includes the starts of triggers that wait.
 *
 * A campaign held as too late loses that reason (`blocked = NULL`), or `endHolds` would make it due again.
 *
 * Returns how many things are held: what owes no mail is not counted, as a restore does not list it.
 */
export function holdEverything(sqlite: Database, now: number): number {
  leaveNumbersOut(sqlite);
  for (const statement of [KEEP_LISTENERS, "DELETE FROM automation_listeners"]) sqlite.query(statement).run();
  const owing = present(sqlite.query<{ n: number }, []>(OWING).get(), "count");
  const live = sqlite
    .query("UPDATE automations SET status = 'PAUSED', updated_at = ? WHERE status = 'LIVE'")
    .run(now);
  sqlite
    .query(
      `UPDATE mailings SET held = iif(kind = 'campaign', held, 0) | ${HELD.copy}
       WHERE phase IN ('planning', 'sending') AND held & ${HELD.copy} = 0`,
    )
    .run();
  const scheduled = sqlite
    .query(
      `UPDATE campaigns SET held = 1, blocked = NULL
       WHERE status = 'SCHEDULED' AND mailing IS NULL AND (held = 0 OR blocked IS NOT NULL)`,
    )
    .run();
  const webhooks = sqlite
    .query("UPDATE webhooks SET state = 'HELD', disabled_reason = ? WHERE state = 'ENABLED'")
    .run(HELD_REASON);
  return owing.n + scheduled.changes + live.changes + webhooks.changes;
}

/**
 * `holdEverything` for a copy whose original may still be in use: mailboxes are left to the original, too.
 * A moved database still reads them, because its original has ended.
 *
 * A session or a link that the original has ended since would be valid again, so a copy has none.
 */
export function holdCopied(sqlite: Database, now: number): number {
  sqlite.query("DELETE FROM sessions").run();
  sqlite.query("DELETE FROM welcome_links").run();
  return leaveMailboxes(sqlite) + holdEverything(sqlite, now);
}

/**
 * What a copy takes out of a mailbox, the original never gets: opt-outs too. So the setting is put aside,
 * under a key that nothing reads, until a person sets it again. Meanwhile the mail waits in the mailbox.
 */
const leaveMailboxes = (sqlite: Database): number =>
  sqlite
    .query(
      `UPDATE OR REPLACE settings SET key = 'bounceMailboxOfCopy' WHERE key = 'bounceMailbox' AND value <> ''`,
    )
    .run().changes;

/** SQLite stores the last number that it used; there is none before the first message. */
function leaveNumbersOut(sqlite: Database): void {
  const moved = sqlite
    .query(`UPDATE sqlite_sequence SET seq = seq + ${NUMBERS_LEFT_OUT} WHERE name = 'deliveries'`)
    .run();
  if (moved.changes > 0) return;
  sqlite.query(`INSERT INTO sqlite_sequence (name, seq) VALUES ('deliveries', ${NUMBERS_LEFT_OUT})`).run();
}
