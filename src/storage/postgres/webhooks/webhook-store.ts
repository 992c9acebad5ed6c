import { and, count, eq, ne } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { rotatedColumns } from "#storage/common/webhooks/old-secrets.ts";
import {
  changedWebhook,
  stateOf,
  webhookOf,
  type WebhookRow,
} from "#storage/common/webhooks/webhook-rows.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { webhooks } from "#storage/postgres/schema/schema.ts";
import type { WebhookStore } from "#webhooks/store.ts";
import type { TroubledWebhook, Webhook } from "#webhooks/webhook.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";
import { deliveryLog } from "./delivery-log.ts";
import { findWebhook, holdWebhook, WEBHOOK_COLUMNS } from "./webhook-row.ts";

type Records = Pick<WebhookStore, "insert" | "find" | "page" | "change" | "rotate" | "delete" | "troubled">;

const NEWEST = `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE workspace = $1 AND state <> 'DELETED'
  AND ($2::int8 IS NULL OR seq < $2) ORDER BY seq DESC LIMIT $3`;
const TROUBLED = `SELECT id, url, disabled_reason, failing_since FROM webhooks
  WHERE workspace = $1 AND state <> 'DELETED' AND (disabled_reason IS NOT NULL OR failing_since IS NOT NULL)
  ORDER BY seq`;
const SAVE = "UPDATE webhooks SET url = $2, events = $3, state = $4, disabled_reason = $5 WHERE seq = $1";
const RECOVER = "UPDATE webhooks SET failures = 0, failing_since = NULL, resume_at = 0 WHERE seq = $1";
const RENEW = "UPDATE webhooks SET secret = $2, old_secret = $3, old_secret_until = $4 WHERE seq = $1";
const DROP = "UPDATE webhooks SET state = 'DELETED', secret = '', old_secret = NULL WHERE seq = $1";

export function webhookStore(database: PostgresDatabase): WebhookStore {
  return { ...reads(database), ...changes(database), ...deliveryLog(database) };
}

function reads({ read, seqOf }: PostgresDatabase): Pick<Records, "find" | "page" | "troubled"> {
  return {
    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const row = await read((session) => findWebhook(session, workspace, id));
      return row && webhookOf(row);
    },

    async page(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const [rows, total] = await read((session) =>
        Promise.all([
          session.rows<WebhookRow>(NEWEST, [workspace, before, limit + 1]),
          countOf(session, workspace),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: webhookOf });
    },

    async troubled(workspaceId) {
      const workspace = await seqOf(workspaceId);
      return await read(({ rows }) => rows<TroubledWebhook>(TROUBLED, [workspace]));
    },
  };
}

function changes({
  write,
  seqOf,
}: PostgresDatabase): Pick<Records, "insert" | "change" | "rotate" | "delete"> {
  /** Null, and nothing is written, if there is no such webhook. */
  const changing = async (
    workspaceId: string,
    id: string,
    change: (tx: Session, row: WebhookRow) => Promise<unknown>,
  ): Promise<Webhook | null> => {
    const workspace = await seqOf(workspaceId);
    return await write(async (tx) => {
      const row = await holdWebhook(tx, workspace, id);
      if (row === null) return null;
      await change(tx, row);
      return webhookOf((await findWebhook(tx, workspace, id)) ?? row);
    });
  };

  return {
    async insert(workspaceId, { id, url, events, enabled, secret, createdAt }, webhooksMax) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        // The rule depends on how many there are, so no two are made at the same time.
        await lockWorkspace(tx, workspace);
        if ((await countOf(tx, workspace)) >= webhooksMax) return null;
        await tx.orm
          .insert(webhooks)
          .values({ id, workspace, url, events, state: stateOf(enabled), secret, createdAt });
        return webhookOf(present(await findWebhook(tx, workspace, id), "webhook that was just made"));
      });
    },

    change: (workspaceId, id, wanted) =>
      changing(workspaceId, id, async (tx, row) => {
        const changed = changedWebhook(row, wanted);
        if (changed === null) return;
        await tx.run(SAVE, [row.seq, changed.url, changed.events, changed.state, changed.disabledReason]);
        if (changed.recovers) await tx.run(RECOVER, [row.seq]);
      }),

    rotate: (workspaceId, id, secret, at) =>
      changing(workspaceId, id, (tx, row) => tx.run(RENEW, [row.seq, secret, ...rotatedColumns(row, at)])),

    delete: async (workspaceId, id) =>
      (await changing(workspaceId, id, (tx, row) => tx.run(DROP, [row.seq]))) !== null,
  };
}

async function countOf({ orm }: Session, workspace: number): Promise<number> {
  const there = and(eq(webhooks.workspace, workspace), ne(webhooks.state, "DELETED"));
  const [counted] = await orm.select({ n: count() }).from(webhooks).where(there);
  return present(counted, "count of webhooks").n;
}
