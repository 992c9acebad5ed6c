import type { Database } from "bun:sqlite";

const STATES = ["queued", "dot", "sent", "bounced", "failed", "uncertain", "skipped"] as const;
type Counters = Record<(typeof STATES)[number] | "seq" | "planned", number> & { phase: string; kind: string };

/** Where the counters of `mailings` differ from the rows, one sentence each; empty if the ledger is consistent. */
export function ledgerFaults(sqlite: Database): string[] {
  const mailings = sqlite.query<Counters, []>("SELECT * FROM mailings").all();
  return [
    ...mailings.flatMap((mailing) => faultsOf(sqlite, mailing)),
    ...campaignFaults(sqlite),
    ...usageFaults(sqlite),
    ...reasonFaults(sqlite),
    ...activityFaults(sqlite),
    ...timelineFaults(sqlite),
    ...clickFaults(sqlite),
    ...nodeFaults(sqlite),
  ];
}

function faultsOf(sqlite: Database, mailing: Counters): string[] {
  const counted = sqlite
    .query<{ state: string; n: number }, [number]>(
      "SELECT state, count(*) AS n FROM deliveries WHERE mailing = ? GROUP BY state",
    )
    .all(mailing.seq);
  const rows = new Map(counted.map(({ state, n }) => [state, n]));
  const faults = STATES.filter((state) => mailing[state] !== (rows.get(state) ?? 0)).map(
    (state) =>
      `mailing ${mailing.seq} counts ${mailing[state]} ${state}, the rows say ${rows.get(state) ?? 0}`,
  );
  const planned = counted.reduce((sum, { n }) => sum + n, 0);
  if (mailing.planned !== planned)
    faults.push(`mailing ${mailing.seq} planned ${mailing.planned}, has ${planned} rows`);
  const owed = mailing.queued + mailing.dot;
  if (mailing.phase === "finished" && owed > 0)
    faults.push(`mailing ${mailing.seq} is finished and owes ${owed}`);
  const goesOn = mailing.kind === "confirmation" || mailing.kind === "automation";
  if (mailing.phase === "sending" && owed === 0 && !goesOn)
    faults.push(`mailing ${mailing.seq} owes nothing and is not finished`);
  return [...faults, ...skipFaults(sqlite, mailing.seq)];
}

function skipFaults(sqlite: Database, mailing: number): string[] {
  const differing = sqlite
    .query<{ reason: string }, [number, number, number, number]>(
      `SELECT reason FROM (
         SELECT * FROM (SELECT reason, n FROM mailing_skips WHERE mailing = ? EXCEPT
           SELECT reason, count(*) FROM deliveries WHERE mailing = ? AND state = 'skipped' GROUP BY reason)
         UNION ALL SELECT * FROM (SELECT reason, count(*) FROM deliveries WHERE mailing = ? AND state = 'skipped' GROUP BY reason EXCEPT
           SELECT reason, n FROM mailing_skips WHERE mailing = ?))`,
    )
    .all(mailing, mailing, mailing, mailing);
  return differing.map(({ reason }) => `mailing ${mailing} counts its ${reason} rows wrong`);
}

/** The number of messages with each reason, by the counter and by the rows. */
function reasonFaults(sqlite: Database): string[] {
  const counted = sqlite
    .query("SELECT mailing, state, reason, n FROM mailing_reasons WHERE n <> 0 ORDER BY 1, 2, 3")
    .values();
  const rows = sqlite
    .query(
      `SELECT mailing, state, reason, count(*) FROM deliveries WHERE reason IS NOT NULL AND state <> 'skipped'
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    )
    .values();
  const [said, found] = [JSON.stringify(counted), JSON.stringify(rows)];
  return said === found ? [] : [`reasons are counted as ${said}, the rows say ${found}`];
}

/** The counts of mail for `GET /stats` by quarters of an hour, compared with the rows. */
function activityFaults(sqlite: Database): string[] {
  const figures = [
    ["sent", "d.settled_at", "(d.state = 'sent' OR d.bounced_at IS NOT NULL)"],
    ["bounced", "coalesce(d.bounced_at, d.settled_at)", "d.state = 'bounced'"],
    ["returned", "d.settled_at", "d.bounced_at IS NOT NULL"],
    ["opened", "d.opened_at", "d.opened_at IS NOT NULL"],
    ["clicked", "d.clicked_at", "d.clicked_at IS NOT NULL"],
  ] as const;
  return figures.flatMap(([figure, at, where]) => {
    const counted = sqlite
      .query(`SELECT workspace, at, ${figure} AS n FROM activity_counts WHERE ${figure} <> 0 ORDER BY 1, 2`)
      .values();
    const rows = sqlite
      .query(
        `SELECT m.workspace, ${at} / 900000 * 900000 AS at, count(*) AS n
         FROM deliveries d JOIN mailings m ON m.seq = d.mailing AND m.is_test = 0 WHERE ${where} GROUP BY 1, 2 ORDER BY 1, 2`,
      )
      .values();
    const [said, found] = [JSON.stringify(counted), JSON.stringify(rows)];
    return said === found ? [] : [`${figure} is counted as ${said}, the rows say ${found}`];
  });
}

/** The same for each campaign. */
function timelineFaults(sqlite: Database): string[] {
  const figures = [
    ["sent", "d.settled_at", "(d.state = 'sent' OR d.bounced_at IS NOT NULL)"],
    ["bounced", "coalesce(d.bounced_at, d.settled_at)", "d.state = 'bounced'"],
    ["bounced_later", "d.bounced_at", "d.bounced_at IS NOT NULL"],
    ["opened", "d.opened_at", "d.opened_at IS NOT NULL"],
    ["clicked", "d.clicked_at", "d.clicked_at IS NOT NULL"],
    ["unsubscribed", "d.unsubscribed_at", "d.unsubscribed_at IS NOT NULL"],
  ] as const;
  return figures.flatMap(([figure, at, where]) => {
    const counted = sqlite
      .query(`SELECT mailing, at, ${figure} AS n FROM mailing_activity WHERE ${figure} <> 0 ORDER BY 1, 2`)
      .values();
    const rows = sqlite
      .query(
        `SELECT d.mailing, ${at} / 900000 * 900000 AS at, count(*) AS n
         FROM deliveries d JOIN mailings m ON m.seq = d.mailing WHERE m.kind = 'campaign' AND ${where} GROUP BY 1, 2 ORDER BY 1, 2`,
      )
      .values();
    const [said, found] = [JSON.stringify(counted), JSON.stringify(rows)];
    return said === found ? [] : [`${figure} of campaigns is counted as ${said}, the rows say ${found}`];
  });
}

/** Everybody who clicked a link has one row for it, and is marked as somebody who clicked. */
function clickFaults(sqlite: Database): string[] {
  const wrong = sqlite
    .query<{ url: string }, []>(
      `SELECT l.url FROM link_clicks l LEFT JOIN delivery_clicks c ON c.link = l.seq GROUP BY l.seq
       HAVING l.recipients <> count(c.delivery) OR l.clicks < l.recipients`,
    )
    .all()
    .map(({ url }) => `the clicks of ${url} are counted wrong`);
  const unmarked = sqlite
    .query<{ delivery: number }, []>(
      `SELECT c.delivery FROM delivery_clicks c JOIN deliveries d ON d.seq = c.delivery WHERE d.clicked_at IS NULL`,
    )
    .all()
    .map(({ delivery }) => `message ${delivery} has a link that was clicked, and no click`);
  return [...wrong, ...unmarked];
}

/** People counted as waiting at a node of an automation are there; people who failed or ended there are counted. */
function nodeFaults(sqlite: Database): string[] {
  return sqlite
    .query<{ node: string; said: number; found: number }, []>(
      `SELECT node, sum(waiting) AS said, sum(active) AS found FROM (
         SELECT automation, node, entered - completed - failed - removed AS waiting, 0 AS active, completed, failed, 0 AS ended, 0 AS broken
         FROM automation_nodes
         UNION ALL SELECT automation, node, 0, sum(status = 'ACTIVE'), 0, 0, sum(status = 'COMPLETED'), sum(status = 'FAILED')
         FROM enrollments GROUP BY automation, node)
       GROUP BY automation, node
       HAVING said <> found OR sum(ended) > sum(completed) OR sum(broken) > sum(failed)`,
    )
    .all()
    .map(({ node, said, found }) => `node ${node} counts ${said} runs that wait there, it has ${found}`);
}

/** A campaign is SENT exactly when its mailing is finished. */
function campaignFaults(sqlite: Database): string[] {
  return sqlite
    .query<{ id: string; status: string; phase: string }, []>(
      `SELECT c.id, c.status, m.phase FROM campaigns c JOIN mailings m ON m.seq = c.mailing
       WHERE (c.status = 'SENT') <> (m.phase = 'finished')`,
    )
    .all()
    .map(({ id, status, phase }) => `campaign ${id} is ${status} while its mailing is ${phase}`);
}

/**
 * The reserved number of a day is what its mailings still owe or may have delivered. A failed message was given
 * back, and so was a bounced one that the relay had never accepted.
 */
function usageFaults(sqlite: Database): string[] {
  return sqlite
    .query<{ period: string; n: number; used: number }, []>(
      `SELECT u.period, u.n, coalesce(sum(m.sent + m.uncertain + m.dot + iif(m.phase = 'stopped', 0, m.queued)
         + (SELECT count(*) FROM deliveries d WHERE d.mailing = m.seq AND d.bounced_at IS NOT NULL)), 0) AS used
       FROM sending_usage u LEFT JOIN mailings m ON m.workspace = u.workspace AND m.reserved_day = u.period
       WHERE length(u.period) = 10 GROUP BY u.workspace, u.period HAVING u.n <> used`,
    )
    .all()
    .map(
      ({ period, n, used }) => `${n} messages are reserved on ${period}, the mailings account for ${used}`,
    );
}
