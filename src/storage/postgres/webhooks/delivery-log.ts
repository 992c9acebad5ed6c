import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { readDeliveryId } from "#storage/common/webhooks/webhook-delivery-id.ts";
import { deliveryOf, type DeliveryRow } from "#storage/common/webhooks/webhook-rows.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { webhookDeliveries } from "#storage/postgres/schema/schema.ts";
import type { Delivery, DeliveryState } from "#webhooks/delivery.ts";
import type { WebhookStore } from "#webhooks/store.ts";
import { NEW_NONCE } from "./outbox-writes.ts";
import { findWebhook, holdWebhook } from "./webhook-row.ts";

const DELIVERIES =
  "SELECT seq, nonce, type, state, attempts, next_attempt_at, created_at FROM webhook_deliveries";
const NEWEST = `${DELIVERIES} WHERE webhook = $1 AND ($2::int8 IS NULL OR seq < $2)`;
const LIMITED = "ORDER BY seq DESC LIMIT $3";
const BY_SEQ = `${DELIVERIES} WHERE webhook = $1 AND seq = $2`;
const COUNT = `SELECT coalesce(sum(n), 0)::int8 AS n FROM webhook_counts
  WHERE webhook = $1 AND ($2::text IS NULL OR state = $2)`;
const ADD = `INSERT INTO webhook_deliveries (webhook, type, data, created_at, next_attempt_at, nonce)
  VALUES ($1, $2, $3, $4, $4, ${NEW_NONCE}) RETURNING seq`;
const OWE_AGAIN = `UPDATE webhook_deliveries SET state = 'PENDING', next_attempt_at = $2, tries = 0,
  first_tried_at = NULL WHERE seq = $1`;
// A person wants to see what happens now, so a pause of the endpoint ends.
const WAKE = "UPDATE webhooks SET resume_at = 0 WHERE seq = $1";

/** What the API shows of a webhook's deliveries, and the deliveries that it makes owed. */
export function deliveryLog({
  read,
  write,
  seqOf,
}: PostgresDatabase): Pick<WebhookStore, "deliveries" | "owe" | "replay"> {
  return {
    async deliveries(workspaceId, id, state, request) {
      const workspace = await seqOf(workspaceId);
      return await read(async (session) => {
        const webhook = await findWebhook(session, workspace, id);
        return webhook && (await page(session, webhook.seq, state, request));
      });
    },

    async owe(workspaceId, id, { type, data }, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const webhook = await holdWebhook(tx, workspace, id);
        if (webhook === null) return null;
        if (webhook.state !== "ENABLED") return "disabled";
        const values = [webhook.seq, type, JSON.stringify(data), at];
        const row = await tx.row<Row<typeof webhookDeliveries, "seq">>(ADD, values);
        tx.brings("webhook messages");
        await tx.run(WAKE, [webhook.seq]);
        return await shown(tx, webhook.seq, present(row, "delivery that was just made").seq);
      });
    },

    async replay(workspaceId, id, wanted, at) {
      const workspace = await seqOf(workspaceId);
      const key = readDeliveryId(wanted);
      if (key === null) return null;
      return await write(async (tx) => {
        const webhook = await holdWebhook(tx, workspace, id);
        if (webhook === null) return null;
        const row = await tx.row<DeliveryRow>(`${BY_SEQ} FOR NO KEY UPDATE`, [webhook.seq, key.seq]);
        if (row === null || row.nonce !== key.nonce) return null;
        if (webhook.state !== "ENABLED") return "disabled";
        await tx.run(OWE_AGAIN, [row.seq, at]);
        await tx.run(WAKE, [webhook.seq]);
        return await shown(tx, webhook.seq, row.seq);
      });
    },
  };
}

async function shown({ row }: Session, webhook: number, seq: number): Promise<Delivery> {
  return deliveryOf(
    present(await row<DeliveryRow>(BY_SEQ, [webhook, seq]), "delivery that was just written"),
  );
}

async function page(
  { rows, row }: Session,
  webhook: number,
  state: DeliveryState | null,
  { limit, before }: PageRequest,
): Promise<Page<Delivery>> {
  const values = [webhook, before, limit + 1];
  const [found, counted] = await Promise.all([
    state === null
      ? rows<DeliveryRow>(`${NEWEST} ${LIMITED}`, values)
      : rows<DeliveryRow>(`${NEWEST} AND state = $4 ${LIMITED}`, [...values, state]),
    row<{ n: number }>(COUNT, [webhook, state]),
  ]);
  const total = present(counted, "count of deliveries").n;
  return pageOf(found, total, limit, { position: ({ seq }) => seq, item: deliveryOf });
}
