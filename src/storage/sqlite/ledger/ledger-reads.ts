import type { Database } from "bun:sqlite";
import { notFound } from "#core/errors.ts";
import { pageOf, type Page, type PageRequest } from "#core/page.ts";
import { DELIVERY_STATES } from "#deliveries/ledger.ts";
import type { DeliveryFilter, DeliveryRecord, LedgerStore } from "#deliveries/store.ts";
import { HELD } from "./held.ts";
import { domainSendsRead } from "./domain-sends.ts";
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
type DeliveryRow = Row<
  typeof deliveries,
  "seq" | "address" | "state" | "reason" | "replyCode" | "replyEnhanced" | "replyText" | "attempts" | "detail"
> & { contactId: Value<typeof contacts, "id"> | null; sentAt: number | null };
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
    `SELECT coalesce(sum(a.sent + a.bounced), 0) AS n
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
    deliveries: deliveriesPage(sqlite, (mailing) => progress.get(mailing)),
    ...owedReads(sqlite, () => sendable.all().map(({ number }) => number)),
    domainSends: domainSendsRead(sqlite),
  };
}

const SHOWN = `SELECT d.seq, c.id AS contactId, d.address, d.state, d.reason, d.reply_code AS replyCode,
  d.reply_enhanced AS replyEnhanced, d.reply_text AS replyText, d.attempts, d.detail,
  iif(d.state = 'sent' OR d.bounced_at IS NOT NULL, d.settled_at, NULL) AS sentAt`;

/**
 * Newest first. Without a filter, the index ranges of the states are merged, so that a page costs the same at
 * any size.
 */
function deliveriesPage(sqlite: Database, countsOf: (mailing: number) => ProgressRow | null) {
  const shown = (states: readonly string[]) => {
    const ranges = states.map(
      (
        state,
      ) => `SELECT * FROM (SELECT seq FROM deliveries WHERE mailing = $mailing AND state = '${state}' AND seq < $before
        ORDER BY seq DESC LIMIT $limit)`,
    );
    return sqlite.query<DeliveryRow, { mailing: number; before: number; limit: number }>(
      `${SHOWN}
       FROM (${ranges.join(" UNION ALL ")}) page JOIN deliveries d ON d.seq = page.seq LEFT JOIN contacts c ON c.seq = d.contact
       ORDER BY d.seq DESC LIMIT $limit`,
    );
  };
  const ofAddress = sqlite.query<
    DeliveryRow,
    { mailing: number; address: string; before: number; limit: number }
  >(
    `${SHOWN} FROM deliveries d LEFT JOIN contacts c ON c.seq = d.contact
     WHERE d.mailing = $mailing AND d.address = $address AND d.seq < $before LIMIT $limit`,
  );
  const ofState = new Map(DELIVERY_STATES.map((state) => [state, shown([state])]));
  const all = shown(DELIVERY_STATES);

  return async (
    mailing: number,
    { state, email }: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryRecord>> => {
    const before = page.before ?? Number.MAX_SAFE_INTEGER;
    const shape = { position: (row: DeliveryRow) => row.seq, item: deliveryOf };
    if (email !== null) {
      // A campaign sends an address one message.
      const rows = ofAddress.all({ mailing, address: email, before, limit: page.limit + 1 });
      const wanted = rows.filter((row) => state === null || row.state === state);
      return pageOf(wanted, wanted.length, page.limit, shape);
    }
    const counts = countsOf(mailing);
    const statement = state === null ? all : present(ofState.get(state), "statement for a state");
    const rows = statement.all({
      mailing,
      before,
      limit: page.limit + 1,
    });
    const total = counts === null ? 0 : state === null ? counts.planned : counts[state];
    return pageOf(rows, total, page.limit, shape);
  };
}

function deliveryOf({
  seq: _seq,
  address,
  replyCode,
  replyEnhanced,
  replyText,
  ...row
}: DeliveryRow): DeliveryRecord {
  const reply =
    replyCode === null ? null : { code: replyCode, enhanced: replyEnhanced, text: replyText ?? "" };
  return { ...row, email: address, reply };
}
