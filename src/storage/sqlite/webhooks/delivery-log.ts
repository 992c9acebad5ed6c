import type { Database } from "bun:sqlite";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { readDeliveryId } from "#storage/common/webhooks/webhook-delivery-id.ts";
import { deliveryOf } from "#storage/common/webhooks/webhook-rows.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { webhookCounts, webhookDeliveries } from "#storage/sqlite/schema/schema.ts";
import { DELIVERY_STATES, type Delivery, type DeliveryState } from "#webhooks/delivery.ts";
import type { WebhookStore } from "#webhooks/store.ts";
import { NEW_NONCE } from "./outbox-writes.ts";
import { webhookFinder } from "./webhook-row.ts";

type DeliveryRow = Row<
  typeof webhookDeliveries,
  "seq" | "nonce" | "type" | "state" | "attempts" | "nextAttemptAt" | "createdAt"
>;

type Newest = { readonly webhook: number; readonly before: number; readonly rows: number };

const COLUMNS = `d.seq, d.nonce, d.type, d.state, d.attempts, d.next_attempt_at AS nextAttemptAt,
  d.created_at AS createdAt`;

/** The newest of each state, merged: a page costs the same however many there are. */
function pageSql(states: readonly DeliveryState[]): string {
  const ranges = states.map(
    (state) => `SELECT seq FROM (SELECT seq FROM webhook_deliveries
      WHERE webhook = $webhook AND state = '${state}' AND seq < $before ORDER BY seq DESC LIMIT $rows)`,
  );
  return `SELECT ${COLUMNS} FROM (${ranges.join(" UNION ALL ")} ORDER BY seq DESC LIMIT $rows) AS newest
    CROSS JOIN webhook_deliveries AS d ON d.seq = newest.seq ORDER BY newest.seq DESC`;
}

/** What the API shows of a webhook's deliveries, and the deliveries that it makes owed. */
export function deliveryLog(
  { sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<WebhookStore, "deliveries" | "owe" | "replay"> {
  const find = webhookFinder(sqlite);
  const bySeq = sqlite.query<DeliveryRow, [number, number]>(
    `SELECT ${COLUMNS} FROM webhook_deliveries AS d WHERE d.webhook = ? AND d.seq = ?`,
  );
  const insert = sqlite.query<Row<typeof webhookDeliveries, "seq">, [number, string, string, number]>(
    `INSERT INTO webhook_deliveries (webhook, type, data, created_at, next_attempt_at, nonce) VALUES (?1, ?2, ?3, ?4, ?4, ${NEW_NONCE})
     RETURNING seq`,
  );
  const oweAgain = sqlite.query<null, [number, number]>(
    "UPDATE webhook_deliveries SET state = 'PENDING', next_attempt_at = ?2, tries = 0, first_tried_at = NULL WHERE seq = ?1",
  );
  // A person wants to see what happens now, so a pause of the endpoint ends.
  const wake = sqlite.query<null, [number]>("UPDATE webhooks SET resume_at = 0 WHERE seq = ?");
  const page = pages(sqlite);
  const shown = (webhook: number, seq: number): Delivery =>
    deliveryOf(present(bySeq.get(webhook, seq), "delivery that was just written"));

  return {
    deliveries: async (workspaceId, id, state, request) => {
      const webhook = find(seqOf(workspaceId), id);
      return webhook && page(webhook.seq, state, request);
    },

    owe: (workspaceId, id, { type, data }, at) =>
      writes.write(() => {
        const webhook = find(seqOf(workspaceId), id);
        if (webhook === null) return null;
        if (webhook.state !== "ENABLED") return "disabled";
        const row = insert.get(webhook.seq, type, JSON.stringify(data), at);
        wake.run(webhook.seq);
        return shown(webhook.seq, present(row, "delivery that was just made").seq);
      }),

    replay: (workspaceId, id, wanted, at) =>
      writes.write(() => {
        const webhook = find(seqOf(workspaceId), id);
        const key = readDeliveryId(wanted);
        if (webhook === null || key === null) return null;
        const row = bySeq.get(webhook.seq, key.seq);
        if (row === null || row.nonce !== key.nonce) return null;
        if (webhook.state !== "ENABLED") return "disabled";
        oweAgain.run(row.seq, at);
        wake.run(webhook.seq);
        return shown(webhook.seq, row.seq);
      }),
  };
}

function pages(sqlite: Database) {
  const counted = sqlite.query<Row<typeof webhookCounts, "state" | "n">, [number]>(
    "SELECT state, n FROM webhook_counts WHERE webhook = ?",
  );
  return (webhook: number, state: DeliveryState | null, { limit, before }: Request) => {
    const states = state === null ? DELIVERY_STATES : [state];
    const rows = sqlite
      .query<DeliveryRow, [Newest]>(pageSql(states))
      .all({ webhook, before: before ?? Number.MAX_SAFE_INTEGER, rows: limit + 1 });
    const total = counted
      .all(webhook)
      .reduce((sum, one) => sum + (states.some((wanted) => wanted === one.state) ? one.n : 0), 0);
    return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: deliveryOf });
  };
}
type Request = Parameters<WebhookStore["deliveries"]>[3];
