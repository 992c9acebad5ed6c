import type { Database } from "bun:sqlite";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { rotatedColumns } from "#storage/common/webhooks/old-secrets.ts";
import { changedWebhook, stateOf, webhookOf } from "#storage/common/webhooks/webhook-rows.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { webhooks } from "#storage/sqlite/schema/schema.ts";
import type { WebhookStore } from "#webhooks/store.ts";
import type { TroubledWebhook, Webhook, WebhookChange } from "#webhooks/webhook.ts";
import { deliveryLog } from "./delivery-log.ts";
import { WEBHOOK_COLUMNS, webhookFinder, type WebhookRow } from "./webhook-row.ts";

const WELL = "failures = 0, failing_since = NULL, resume_at = 0";

type Records = Pick<WebhookStore, "insert" | "find" | "page" | "change" | "rotate" | "delete" | "troubled">;

export function webhookStore(database: SqliteDatabase, seqOf: WorkspaceSeq): WebhookStore {
  return { ...records(database, seqOf), ...deliveryLog(database, seqOf) };
}

/** The webhooks of a workspace that the service disabled, or that fail now. */
export function troubledWebhooks(sqlite: Database): (workspace: number) => TroubledWebhook[] {
  const find = sqlite.query<Row<typeof webhooks, "id" | "url" | "disabledReason" | "failingSince">, [number]>(
    `SELECT id, url, disabled_reason AS disabledReason, failing_since AS failingSince FROM webhooks
     WHERE workspace = ? AND state <> 'DELETED' AND (disabled_reason IS NOT NULL OR failing_since IS NOT NULL)
     ORDER BY seq`,
  );
  return (workspace) => find.all(workspace);
}

function records({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): Records {
  const find = webhookFinder(sqlite);
  const newest = sqlite.query<WebhookRow, [number, number, number]>(
    `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE workspace = ? AND state <> 'DELETED' AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM webhooks WHERE workspace = ? AND state <> 'DELETED'",
  );
  const insert = sqlite.query<null, (string | number)[]>(
    `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const troubled = troubledWebhooks(sqlite);
  const { change, rotate, remove } = changes(sqlite);
  const countOf = (workspace: number): number => present(count.get(workspace), "count of webhooks").n;
  const again = (workspace: number, id: string): Webhook =>
    webhookOf(present(find(workspace, id), "webhook that was just changed"));

  return {
    insert: (workspaceId, { id, url, events, enabled, secret, createdAt }, webhooksMax) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        if (countOf(workspace) >= webhooksMax) return null;
        insert.run(id, workspace, url, JSON.stringify(events), stateOf(enabled), secret, createdAt);
        return again(workspace, id);
      }),

    find: async (workspaceId, id) => {
      const row = find(seqOf(workspaceId), id);
      return row && webhookOf(row);
    },

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = newest.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return pageOf(rows, countOf(workspace), limit, { position: ({ seq }) => seq, item: webhookOf });
    },

    change: (workspaceId, id, wanted) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const row = find(workspace, id);
        if (row === null) return null;
        change(row, wanted);
        return again(workspace, id);
      }),

    rotate: (workspaceId, id, secret, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const row = find(workspace, id);
        if (row === null) return null;
        rotate(row, secret, at);
        return again(workspace, id);
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const row = find(seqOf(workspaceId), id);
        if (row !== null) remove(row);
        return row !== null;
      }),

    troubled: async (workspaceId) => troubled(seqOf(workspaceId)),
  };
}

/** The changes of one webhook, on an open transaction. */
function changes(sqlite: Database) {
  const save = sqlite.query<null, (string | number | null)[]>(
    "UPDATE webhooks SET url = ?2, events = ?3, state = ?4, disabled_reason = ?5 WHERE seq = ?1",
  );
  const recover = sqlite.query<null, [number]>(`UPDATE webhooks SET ${WELL} WHERE seq = ?`);
  const renew = sqlite.query<null, [number, string, string, number]>(
    "UPDATE webhooks SET secret = ?2, old_secret = ?3, old_secret_until = ?4 WHERE seq = ?1",
  );
  const drop = sqlite.query<null, [number]>(
    "UPDATE webhooks SET state = 'DELETED', secret = '', old_secret = NULL WHERE seq = ?",
  );

  return {
    change(row: WebhookRow, wanted: WebhookChange): void {
      const changed = changedWebhook(row, wanted);
      if (changed === null) return;
      save.run(row.seq, changed.url, changed.events, changed.state, changed.disabledReason);
      if (changed.recovers) recover.run(row.seq);
    },
    rotate: (row: WebhookRow, secret: string, at: number): void =>
      void renew.run(row.seq, secret, ...rotatedColumns(row, at)),
    remove: (row: WebhookRow): void => void drop.run(row.seq),
  };
}
