import { present } from "#core/present.ts";
import type { DatabaseFigures } from "#core/database-figures.ts";
import type { Session } from "./session.ts";
import type { Transactions } from "./transaction.ts";

type UnderWay = {
  readonly held: number;
  readonly queued: number;
  readonly later: number;
  readonly retryAt: number | null;
  readonly freshSince: number | null;
};

/** The mailings in progress: what they owe, how much of it waits for its next attempt, and since when they are due. */
const UNDER_WAY = `SELECT m.held, t.queued,
    (SELECT count(*) FROM retries AS r WHERE r.mailing = m.seq AND r.at > $1) AS later,
    (SELECT min(r.at) FROM retries AS r WHERE r.mailing = m.seq AND r.at <= $1) AS retry_at,
    CASE WHEN EXISTS (SELECT FROM slices AS s WHERE s.mailing = m.seq AND NOT s.done)
      THEN coalesce(m.started_at, m.created_at) END AS fresh_since
  FROM mailings AS m
  JOIN (SELECT mailing, sum(queued)::int8 AS queued FROM tallies GROUP BY mailing) AS t ON t.mailing = m.seq
  WHERE m.phase = 'sending' AND t.queued > 0`;
const DUE_CAMPAIGN = `SELECT min(next_try_at) AS at FROM campaigns
  WHERE status = 'SCHEDULED' AND mailing IS NULL AND NOT held AND paused IS NULL AND next_try_at <= $1`;
const DUE_AUTOMATION = `SELECT least(
    (SELECT min(s.next_try_at) FROM automation_starts AS s JOIN automations AS a ON a.seq = s.automation
      WHERE a.status = 'LIVE' AND s.next_try_at <= $1),
    (SELECT min(e.next_run_at) FROM enrollments AS e JOIN automations AS a ON a.seq = e.automation
      WHERE a.status = 'LIVE' AND e.status = 'ACTIVE' AND e.next_run_at <= $1),
    (SELECT created_at FROM automation_triggers ORDER BY seq LIMIT 1)) AS at`;
const SIZE = "SELECT pg_database_size(current_database()) AS bytes";
const NODES = `SELECT count(*) AS nodes FROM nodes AS n JOIN node_beats AS b ON b.node = n.id
  WHERE n.fenced_at IS NULL AND b.until >= (extract(epoch FROM clock_timestamp()) * 1000)::int8`;

/** What a monitor needs to know about the database. */
export const databaseFigures =
  ({ read }: Pick<Transactions, "read">) =>
  (now: number): Promise<DatabaseFigures> =>
    read(async (session) => {
      const [queue, campaigns, automations, size, nodes] = await Promise.all([
        session.rows<UnderWay>(UNDER_WAY, [now]),
        instantOf(session, DUE_CAMPAIGN, now),
        instantOf(session, DUE_AUTOMATION, now),
        session.row<{ bytes: number }>(SIZE),
        session.row<{ nodes: number }>(NODES),
      ]);
      const { messages, ...counts } = queueOf(queue);
      return {
        queue: counts,
        oldestDueAt: { messages, campaigns, automations },
        databaseBytes: present(size, "size of the database").bytes,
        walBytes: null,
        nodes: present(nodes, "count of nodes").nodes,
      };
    });

const instantOf = async ({ row }: Session, question: string, now: number): Promise<number | null> =>
  (await row<{ at: number | null }>(question, [now]))?.at ?? null;

function queueOf(underWay: readonly UnderWay[]) {
  const figures = { ready: 0, deferred: 0, held: 0 };
  const dueAt: number[] = [];
  for (const { held, queued, later, retryAt, freshSince } of underWay) {
    if (held !== 0) {
      figures.held += queued;
      continue;
    }
    // A message at its dot may also have a row in `retries`.
    const deferred = Math.min(later, queued);
    figures.deferred += deferred;
    figures.ready += queued - deferred;
    if (queued > deferred) dueAt.push(...[retryAt, freshSince].filter((at) => at !== null));
  }
  return { ...figures, messages: dueAt.length === 0 ? null : Math.min(...dueAt) };
}
