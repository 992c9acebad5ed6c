import type { Database } from "bun:sqlite";
import { notFound } from "#core/errors/errors.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { domainSendsRead } from "./domain-sends.ts";
import { deliveryReads } from "./delivery-reads.ts";
import { CONTENT_COLUMNS, contentOf, type ContentRow } from "./frozen-content.ts";
import { owedReads } from "./owed-reads.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  contacts,
  deliveries,
  mailingSkips,
  mailings,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";

type SendableRow = Row<typeof mailings, "kind" | "sourceId"> & {
  number: Value<typeof mailings, "seq">;
  workspaceId: Value<typeof workspaces, "id">;
};
type ProgressRow = Row<
  typeof mailings,
  | "phase"
  | "held"
  | "planned"
  | "queued"
  | "dot"
  | "sent"
  | "bounced"
  | "failed"
  | "uncertain"
  | "skipped"
  | "accepted"
  | "opened"
  | "clicked"
  | "unsubscribed"
  | "machineOpened"
  | "machineClicked"
  | "suspected"
  | "startedAt"
  | "finishedAt"
>;
type RecipientRow = Row<typeof deliveries, "mailing" | "address" | "unsubscribedAt"> & {
  workspaceId: Value<typeof workspaces, "id">;
  contactId: Value<typeof contacts, "id"> | null;
};
type Reads = Pick<
  LedgerStore,
  | "sendable"
  | "campaignMessagesSince"
  | "content"
  | "progress"
  | "deliveries"
  | "reasons"
  | "owed"
  | "domainSends"
  | "nextRetryAt"
  | "recipient"
>;

/** The ledger's queries. */
export function ledgerReads(sqlite: Database): Reads {
  const sendable = sqlite.query<SendableRow, []>(
    `SELECT m.seq AS number, w.id AS workspaceId, m.kind, m.source_id AS sourceId
     FROM mailings m JOIN workspaces w ON w.seq = m.workspace
     WHERE m.phase = 'sending' AND m.held = 0 AND (m.queued > 0 OR m.dot > 0) ORDER BY m.seq`,
  );
  const content = sqlite.query<ContentRow, [number]>(
    `SELECT ${CONTENT_COLUMNS} FROM mailing_contents l JOIN mailings m ON m.seq = l.mailing WHERE l.mailing = ?`,
  );
  const progress = sqlite.query<ProgressRow, [number]>(
    `SELECT phase, held, planned, queued, dot, sent, bounced, failed, uncertain, skipped, accepted, opened, clicked, unsubscribed,
       machine_opened AS machineOpened, machine_clicked AS machineClicked, suspected, started_at AS startedAt, finished_at AS finishedAt FROM mailings WHERE seq = ?`,
  );
  const skips = sqlite.query<Row<typeof mailingSkips, "reason" | "n">, [number]>(
    "SELECT reason, n FROM mailing_skips WHERE mailing = ?",
  );
  const recipient = sqlite.query<RecipientRow, [number]>(
    `SELECT w.id AS workspaceId, d.mailing, d.address, c.id AS contactId, d.unsubscribed_at AS unsubscribedAt
     FROM deliveries d JOIN mailings m ON m.seq = d.mailing JOIN workspaces w ON w.seq = m.workspace
     LEFT JOIN contacts c ON c.seq = d.contact WHERE d.seq = ?`,
  );

  const campaignsSince = (finished: string): string =>
    `SELECT m.seq FROM workspaces w CROSS JOIN mailings m ON m.workspace = w.seq AND m.kind = 'campaign' AND m.finished_at ${finished}
     WHERE w.id = $workspace`;
  const messagesSince = sqlite.query<{ n: number }, { workspace: string; since: number }>(
    `SELECT coalesce(sum(a.sent + a.bounced - a.bounced_later), 0) AS n
     FROM (${campaignsSince("IS NULL")} UNION ALL ${campaignsSince(">= $since")}) c
     CROSS JOIN mailing_activity a ON a.mailing = c.seq AND a.at >= $since`,
  );

  return {
    sendable: async () => sendable.all(),
    async content(mailing) {
      const row = content.get(mailing);
      if (!row) throw notFound(`The letter of mailing ${mailing}`);
      return contentOf(row);
    },
    async progress(mailing) {
      const row = progress.get(mailing);
      if (!row) throw notFound(`Mailing ${mailing}`);
      const { held, queued, dot, skipped: _, ...counts } = row;
      const skipped = Object.fromEntries(skips.all(mailing).map(({ reason, n }) => [reason, n]));
      return { ...counts, held: (held & HELD.copy) !== 0, remaining: queued + dot, skipped };
    },
    campaignMessagesSince: async (workspaceId, since) =>
      present(messagesSince.get({ workspace: workspaceId, since }), "count of messages").n,
    recipient: async (message) => recipient.get(message),
    ...deliveryReads(sqlite, (mailing) => progress.get(mailing)),
    ...owedReads(sqlite, () => sendable.all().map(({ number }) => number)),
    domainSends: domainSendsRead(sqlite),
  };
}
