import type { WebhookRow } from "#storage/common/webhooks/webhook-rows.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/** The columns of a `WebhookRow`. */
export const WEBHOOK_COLUMNS =
  "seq, id, url, events, state, disabled_reason, secret, old_secret, old_secret_until, created_at";

const FIND = `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE workspace = $1 AND id = $2 AND state <> 'DELETED'`;

/** A webhook of a workspace by id, if it exists. */
export const findWebhook = ({ row }: Session, workspace: number, id: string): Promise<WebhookRow | null> =>
  row(FIND, [workspace, id]);

/** The same, locked until the transaction ends. */
export const holdWebhook = ({ row }: Session, workspace: number, id: string): Promise<WebhookRow | null> =>
  row(`${FIND} FOR NO KEY UPDATE`, [workspace, id]);
