/** What a send leaves in the database, and time for tests of when a campaign goes out. */
import { rowOf } from "./campaigns.ts";
import { systemClock, type Clock, type Instant } from "#core/clock.ts";
import type { TestApi } from "../server/api.ts";
import { isDatabaseBusy } from "../server/services.ts";
import type { ManualClock } from "../common/manual-clock.ts";
import { SENDER, type SendingApi } from "./sending.ts";

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
  "mailing_skips",
  "deliveries",
  "sending_usage",
  "contacts",
  "list_members",
  "suppressions",
  "consent_log",
] as const;

/**
 * Every row of every table that a send may write. It must be equal before and after something that must
 * change nothing.
 */
export function sendState(api: TestApi): Record<string, unknown[]> {
  const { sqlite } = api.services.database;
  const rows = (table: string) => sqlite.query(`SELECT * FROM ${table}`).all();
  return {
    ...Object.fromEntries(SENT_TO.map((table) => [table, rows(table)])),
    // That somebody asked again for what is so already is in the audit log.
    record_counts: rows("record_counts WHERE kind <> 'audit'"),
  };
}

/** What cap and limit count, by period ('2026-11-21', '2026-11'); periods at 0 are left out. */
export function usageOf(api: TestApi, workspaceId = api.workspaceId): Record<string, number> {
  const rows = api.services.database.sqlite
    .query<{ period: string; n: number }, [string]>(
      `SELECT period, n FROM sending_usage u JOIN workspaces w ON w.seq = u.workspace WHERE w.id = ? AND n <> 0`,
    )
    .all(workspaceId);
  return Object.fromEntries(rows.map(({ period, n }) => [period, n]));
}

/** The same over either engine. */
export async function usageIn(
  { place, services, workspaceId: own }: TestApi,
  workspaceId = own,
): Promise<Record<string, number>> {
  const used = await place.values(
    services,
    `SELECT u.period || ' ' || u.n FROM sending_usage u JOIN workspaces w ON w.seq = u.workspace
     WHERE w.id = '${workspaceId}' AND u.n <> 0`,
  );
  return Object.fromEntries(
    used.map((one) => {
      const [period = "", n] = String(one).split(" ");
      return [period, Number(n)];
    }),
  );
}

/** The wall clock stands at `at`, which a test moves; durations and timers are real. */
export function standingClock(at: Instant): Clock & { at: Instant } {
  const clock = { ...systemClock, at, now: () => clock.at };
  return clock;
}

/** Lets the clock run, a millisecond a turn of the event loop, until `holds()` is true. */
export async function runUntil(clock: ManualClock, holds: () => boolean): Promise<void> {
  while (!holds()) {
    if (!isDatabaseBusy()) clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
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
export function addReaders(api: TestApi, campaignId: string, count: number): void {
  const { sqlite } = api.services.database;
  const { list, workspace } = rowOf(api, campaignId);
  sqlite
    .query(
      "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (?, 'blocked.example', 0) ON CONFLICT DO NOTHING",
    )
    .run(workspace);
  sqlite
    .query(
      `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'ct_' || ?1 || value, ?2, 'r' || ?1 || '-' || value || '@blocked.example', '', '', 'SUBSCRIBED', '', 0 FROM json_each(?3)`,
    )
    .run(list, workspace, JSON.stringify(Array.from({ length: count }, (_, i) => i)));
  sqlite
    .query(
      "INSERT INTO list_members SELECT ?, 'SUBSCRIBED', seq, 0 FROM contacts WHERE email LIKE ? || '%@blocked.example'",
    )
    .run(list, `r${list}-`);
}

/**
 * From now on each row of the plan of this campaign, or of each campaign, costs so much that a plan of thousands takes
 * far longer than anything else a test does.
 */
export function slowPlanning(api: TestApi, campaignId?: string): void {
  const { sqlite } = api.services.database;
  const only =
    campaignId === undefined
      ? ""
      : `WHEN NEW.mailing = (SELECT seq FROM mailings WHERE source_id = '${campaignId}')`;
  sqlite.run(`CREATE VIEW long_work AS
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n`);
  sqlite.run(
    `CREATE TRIGGER slow_planning AFTER INSERT ON deliveries ${only} BEGIN SELECT count(*) FROM long_work; END`,
  );
}

/** Ends `slowPlanning`, also after a restart. */
export function quickPlanning(api: TestApi): void {
  for (const sql of ["DROP TRIGGER slow_planning", "DROP VIEW long_work"])
    api.services.database.sqlite.run(sql);
}
