/** What a send leaves in the database, and clocks for tests of when a campaign goes out. */
import { nextLoopTurn, yieldTurns } from "#core/time/event-loop.ts";
import { rowOf } from "./campaigns.ts";
import { systemClock, type Clock, type Instant } from "#core/time/clock.ts";
import type { TestApi } from "../server/api.ts";
import { isDatabaseBusy, isPostgres, rowsFrom, writeTo } from "../server/services.ts";
import type { ManualClock } from "../common/manual-clock.ts";
import { SENDER, type SendingApi } from "./sending.ts";
import { trap } from "../storage/traps.ts";

const SENT_TO = [
  "campaigns",
  "campaign_bodies",
  "campaign_options",
  "campaign_segments",
  "mailings",
  "mailing_audiences",
  "mailing_contents",
  "mailing_exclusions",
  "mailing_links",
  "deliveries",
  "contacts",
  "list_members",
  "suppressions",
  "consent_log",
] as const;

/**
 * What both engines count besides the rows. PostgreSQL's counts are sums of rows, which are merged from time to
 * time; a row that it locked may stay and count nothing.
 */
const COUNTED: Readonly<Record<string, string>> = {
  sending_usage: "SELECT workspace, period, n FROM sending_usage WHERE n <> 0",
  mailing_skips: "SELECT mailing, reason, sum(n) AS n FROM mailing_skips GROUP BY 1, 2 HAVING sum(n) <> 0",
  // Requests that change nothing are also in the audit log, so its count is left out.
  record_counts: `SELECT workspace, kind, status, sum(n) AS n FROM record_counts WHERE kind <> 'audit'
    GROUP BY 1, 2, 3 HAVING sum(n) <> 0`,
};

/**
 * Every row of every table that a send may write. It must be equal before and after something that must
 * change nothing.
 */
export function sendState(api: TestApi): Record<string, unknown[]> {
  const rows = SENT_TO.map(
    (table) => [table, rowsFrom(api, `SELECT * FROM ${table} ORDER BY 1, 2`)] as const,
  );
  const counts = Object.entries(COUNTED).map(
    ([table, counted]) => [table, rowsFrom(api, `${counted} ORDER BY 1, 2, 3`)] as const,
  );
  return Object.fromEntries([...rows, ...counts]);
}

/** What cap and limit count, by period ('2026-11-21', '2026-11'); periods at 0 are left out. */
export function usageOf(api: TestApi, workspaceId = api.workspaceId): Record<string, number> {
  const rows = rowsFrom<{ period: string; n: number }>(
    api,
    `SELECT u.period, u.n FROM sending_usage u JOIN workspaces w ON w.seq = u.workspace
     WHERE w.id = ? AND u.n <> 0 ORDER BY u.period`,
    workspaceId,
  );
  return Object.fromEntries(rows.map(({ period, n }) => [period, n]));
}

/** The wall clock stands still at `at`, which a test moves; durations and timers are real. */
export function standingClock(at: Instant): Clock & { at: Instant } {
  const clock = { ...systemClock, at, now: () => clock.at };
  return clock;
}

/** Gives the sender many chances to do something it must not do. */
export const manyTurns = (n = 300): Promise<void> => yieldTurns(n);

/** Lets the clock run, a millisecond a turn of the event loop, until `holds()` is true. */
export async function runUntil(clock: ManualClock, holds: () => boolean): Promise<void> {
  while (!holds()) {
    if (!isDatabaseBusy()) clock.advance(1);
    await nextLoopTurn();
  }
}

/** Waits for a call's answer while the clock runs. */
export async function answered<T>(clock: ManualClock, call: Promise<T>): Promise<T> {
  let isOver = false;
  void call.catch(() => undefined).finally(() => (isOver = true));
  await runUntil(clock, () => isOver);
  return call;
}

/** A second workspace of the same service, with a sender of its own; calls go with its key. */
export async function otherWorkspace(api: SendingApi, name = "Other"): Promise<SendingApi> {
  const { id, key } = await api.services.workspaces.create(name);
  await api.services.workspaces.changeSettings(id, SENDER);
  return {
    ...api,
    workspaceId: id,
    key,
    call: (method, path, body, withKey = key) => api.call(method, path, body, withKey),
  };
}

/** Who got what, in order: `address: subject`. */
export function mailOf(api: SendingApi): string[] {
  return api.relay.accepted.map(
    ({ rcptTo, raw }) => `${rcptTo.join()}: ${/^Subject: (.*)\r$/m.exec(raw)?.[1] ?? ""}`,
  );
}

/** The log lines of level warn and above. */
export function warningsOf(api: TestApi): Record<string, unknown>[] {
  return api.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === "warn" || level === "error");
}

/** Puts so many more people on a campaign's list, on a blocked domain: a long plan, and no more mail. */
export async function addReaders(api: TestApi, campaignId: string, count: number): Promise<void> {
  const { list, workspace } = rowOf(api, campaignId);
  await writeTo(
    api,
    `INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (${workspace}, 'blocked.example', 0)
     ON CONFLICT DO NOTHING`,
  );
  await writeTo(
    api,
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_${list}' || i, ${workspace}, 'r${list}-' || i || '@blocked.example', '', '', 'SUBSCRIBED', '', 0 FROM n`,
  );
  await writeTo(
    api,
    `INSERT INTO list_members (list, contact, status, added_at)
     SELECT ${list}, seq, 'SUBSCRIBED', 0 FROM contacts WHERE email LIKE 'r${list}-%@blocked.example'`,
  );
}

/**
 * From now on each row of the plan of this campaign, or of every campaign, takes so long that a plan of thousands
 * takes far longer than anything else in a test.
 */
export async function slowPlanning(api: TestApi, campaignId?: string): Promise<void> {
  if (isPostgres) return await stopPlanning(api, campaignId);
  const only =
    campaignId === undefined
      ? ""
      : `WHEN NEW.mailing = (SELECT seq FROM mailings WHERE source_id = '${campaignId}')`;
  await writeTo(
    api,
    `CREATE VIEW long_work AS
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n`,
  );
  await writeTo(
    api,
    `CREATE TRIGGER slow_planning AFTER INSERT ON deliveries ${only} BEGIN SELECT count(*) FROM long_work; END`,
  );
}

/** PostgreSQL plans in one step what SQLite plans in pieces: the row waits for the end of `slowPlanning`. */
async function stopPlanning(api: TestApi, campaignId?: string): Promise<void> {
  const isSlow =
    campaignId === undefined
      ? ""
      : `AND new.mailing = (SELECT seq FROM mailings WHERE source_id = '${campaignId}')`;
  await writeTo(api, "CREATE TABLE long_work AS SELECT 1 AS n");
  await trap(api, {
    at: "BEFORE INSERT ON deliveries",
    act: `WHILE EXISTS (SELECT FROM long_work) ${isSlow} LOOP PERFORM pg_sleep(0.01); END LOOP`,
  });
}

/** Ends `slowPlanning`, even after a restart. */
export async function quickPlanning(api: TestApi): Promise<void> {
  if (isPostgres) return await writeTo(api, "DELETE FROM long_work");
  for (const sql of ["DROP TRIGGER slow_planning", "DROP VIEW long_work"]) await writeTo(api, sql);
}
