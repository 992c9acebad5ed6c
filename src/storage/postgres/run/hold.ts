import { HELD } from "#storage/common/campaigns/held.ts";
import { NUMBERS_LEFT_OUT } from "#storage/common/engine/takeover.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { HELD_REASON } from "#webhooks/webhook.ts";

const LEAVE_NUMBERS_OUT = `SELECT setval(s.name, nextval(s.name) + $1::int8)
  FROM (SELECT pg_get_serial_sequence('deliveries', 'seq') AS name) AS s`;
const HOLD = `UPDATE mailings SET held = CASE kind WHEN 'campaign' THEN held ELSE 0 END | ${HELD.copy}
  WHERE phase IN ('planning', 'sending') AND held & ${HELD.copy} = 0`;
const SOURCE = "split_part(m.source_id, ':', 1)";
const OWING = `SELECT count(DISTINCT ${SOURCE}) AS n FROM mailings AS m
  WHERE m.phase IN ('planning', 'sending') AND m.held & ${HELD.copy} = 0 AND (m.phase = 'planning'
      OR EXISTS (SELECT FROM tallies AS t WHERE t.mailing = m.seq HAVING sum(t.queued) > 0))
    AND NOT EXISTS (SELECT FROM automations AS a WHERE a.id = ${SOURCE} AND a.status = 'LIVE')`;
const UNSCHEDULE = `UPDATE campaigns SET held = true, blocked = NULL
  WHERE status = 'SCHEDULED' AND mailing IS NULL AND (NOT held OR blocked IS NOT NULL)`;
const KEEP_LISTENERS = `INSERT INTO automation_past_listeners (workspace, kind, detail, automation, since, until)
  SELECT workspace, kind, detail, automation, since, newest.seq
  FROM (SELECT max(seq) AS seq FROM automation_triggers) AS newest CROSS JOIN automation_listeners
  WHERE since < newest.seq`;
const PAUSE = "UPDATE automations SET status = 'PAUSED', updated_at = $1 WHERE status = 'LIVE'";
const SILENCE = "UPDATE webhooks SET state = 'HELD', disabled_reason = $1 WHERE state = 'ENABLED'";

const FORGET_MAILBOXES = `DELETE FROM settings s WHERE key = 'bounceMailboxOfCopy' AND EXISTS
  (SELECT FROM settings o WHERE o.workspace = s.workspace AND o.key = 'bounceMailbox' AND o.value <> '')`;
const LEAVE_MAILBOXES =
  "UPDATE settings SET key = 'bounceMailboxOfCopy' WHERE key = 'bounceMailbox' AND value <> ''";

/**
 * New messages get numbers that the original did not use. The original may have left some out too, once for each of its
 * eras (origin.ts): so the one with more eras begins behind it, whatever the number was at which they parted.
 * @param eras how many this database gets now
 */
export async function leaveNumbersOut(tx: Session, eras: number): Promise<void> {
  await tx.rows(LEAVE_NUMBERS_OUT, [eras * NUMBERS_LEFT_OUT]);
}

/**
 * Call it in an open transaction, if the database is a copy. Everything that the original would continue is held
 * until a person releases it (storage/sqlite/run/hold.ts). Returns how many things are held.
 * @param eras see `leaveNumbersOut`
 */
export async function holdEverything(tx: Session, now: number, eras = 1): Promise<number> {
  await leaveNumbersOut(tx, eras);
  await tx.run(KEEP_LISTENERS);
  await tx.run("DELETE FROM automation_listeners");
  const owing = (await tx.row<{ n: number }>(OWING))?.n ?? 0;
  await tx.run(HOLD);
  const held = [
    owing,
    await tx.run(PAUSE, [now]),
    await tx.run(UNSCHEDULE),
    await tx.run(SILENCE, [HELD_REASON]),
  ];
  return held.reduce((sum, n) => sum + n, 0);
}

/** The same as in SQLite: mailboxes are left to the original, too, and no session or link that it ended is valid again. */
export async function holdCopied(tx: Session, now: number, eras = 1): Promise<number> {
  for (const table of ["sessions", "welcome_links"]) await tx.run(`DELETE FROM ${table}`);
  await tx.run(FORGET_MAILBOXES);
  return (await tx.run(LEAVE_MAILBOXES)) + (await holdEverything(tx, now, eras));
}
