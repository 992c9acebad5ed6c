import { notFound } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { LedgerStore, MailingUnderWay, Recipient } from "#deliveries/store.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailings, mailingSkips } from "#storage/postgres/schema/schema.ts";
import { countsOf } from "./ledger-counts.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";

type Reads = Pick<
  LedgerStore,
  "sendable" | "campaignMessagesSince" | "progress" | "nextRetryAt" | "recipient"
>;

/** The letter of a request is in the memory of the node that took it, so no other node can send its messages. */
const SENDABLE = `FROM mailings AS m WHERE m.phase = 'sending' AND m.held = 0
  AND (m.kind <> 'transactional' OR m.node IS NULL OR m.node = $1)
  AND (SELECT sum(t.queued + t.dot) FROM tallies AS t WHERE t.mailing = m.seq) > 0`;
const UNDER_WAY = `SELECT m.seq AS number, (SELECT id FROM workspaces WHERE seq = m.workspace) AS workspace_id, m.kind, m.source_id
  ${SENDABLE} ORDER BY m.seq`;
const NEXT_RETRY = `SELECT min(d.next_attempt_at) AS at FROM retries AS r JOIN deliveries AS d ON d.seq = r.message
  WHERE r.at > $2 AND d.state = 'queued' AND d.next_attempt_at > $2 AND r.mailing IN (SELECT m.seq ${SENDABLE})`;
const MAILING = "SELECT phase, held, started_at, finished_at FROM mailings WHERE seq = $1";
const SKIPS = "SELECT reason, sum(n)::int8 AS n FROM mailing_skips WHERE mailing = $1 GROUP BY reason";
const RECIPIENT = `SELECT w.id AS workspace_id, d.mailing, d.address, c.id AS contact_id, d.unsubscribed_at
  FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing JOIN workspaces AS w ON w.seq = m.workspace
  LEFT JOIN contacts AS c ON c.seq = d.contact WHERE d.seq = $1`;
const MESSAGES_SINCE = `SELECT coalesce(sum(a.sent + a.bounced - a.bounced_later), 0)::int8 AS n FROM mailings AS m
    JOIN workspaces AS w ON w.seq = m.workspace JOIN mailing_activity AS a ON a.mailing = m.seq AND a.at >= $2
  WHERE w.id = $1 AND m.kind = 'campaign' AND (m.finished_at IS NULL OR m.finished_at >= $2)`;

type Mailing = Row<typeof mailings, "phase" | "held" | "startedAt" | "finishedAt">;

/** The ledger's queries about mailings. */
export function ledgerReads({ read }: PostgresDatabase, own: OwnNode): Reads {
  return {
    sendable: () => read(({ rows }) => rows<MailingUnderWay>(UNDER_WAY, [own.number])),

    async progress(mailing) {
      const [found, counted, skips] = await read((session) =>
        Promise.all([
          session.row<Mailing>(MAILING, [mailing]),
          countsOf(session, mailing),
          session.rows<Row<typeof mailingSkips, "reason" | "n">>(SKIPS, [mailing]),
        ]),
      );
      if (found === null) throw notFound(`Mailing ${mailing}`);
      const { queued, dot, skipped: _, ...counts } = counted;
      const skipped = Object.fromEntries(skips.map(({ reason, n }) => [reason, n]));
      const held = (found.held & HELD.copy) !== 0;
      return { ...counts, ...found, held, remaining: queued + dot, skipped };
    },

    async campaignMessagesSince(workspaceId, since) {
      const counted = await read(({ row }) => row<{ n: number }>(MESSAGES_SINCE, [workspaceId, since]));
      return present(counted, "count of messages").n;
    },

    async nextRetryAt(after) {
      const next = await read(({ row }) => row<{ at: number | null }>(NEXT_RETRY, [own.number, after]));
      return present(next, "time of the next retry").at;
    },

    recipient: (message) => read(({ row }) => row<Recipient>(RECIPIENT, [message])),
  };
}
