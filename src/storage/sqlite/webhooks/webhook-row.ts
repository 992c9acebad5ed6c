import type { Database } from "bun:sqlite";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { webhooks } from "#storage/sqlite/schema/schema.ts";

/** `events` is JSON. */
export type WebhookRow = Row<
  typeof webhooks,
  | "seq"
  | "id"
  | "url"
  | "events"
  | "state"
  | "disabledReason"
  | "secret"
  | "oldSecret"
  | "oldSecretUntil"
  | "createdAt"
>;

/** The columns of a `WebhookRow`. */
export const WEBHOOK_COLUMNS = `seq, id, url, events, state, disabled_reason AS disabledReason, secret, old_secret AS oldSecret,
  old_secret_until AS oldSecretUntil, created_at AS createdAt`;

/** A webhook of a workspace by id, if it exists. */
export function webhookFinder(sqlite: Database): (workspace: number, id: string) => WebhookRow | null {
  const find = sqlite.query<WebhookRow, [number, string]>(
    `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE workspace = ? AND id = ? AND state <> 'DELETED'`,
  );
  return (workspace, id) => find.get(workspace, id);
}
