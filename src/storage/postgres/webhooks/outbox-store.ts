import { present } from "#core/present.ts";
import { oldBeforeSql } from "#storage/common/engine/made-ahead.ts";
import { aheadWhenOld, DELIVERIES_MADE } from "#storage/common/webhooks/deliveries-ahead.ts";
import {
  dueDelivery,
  endpointOf,
  type DueRow,
  type EndpointRow,
} from "#storage/common/webhooks/webhook-rows.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { isAlive, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { webhookDeliveries, webhooks } from "#storage/postgres/schema/schema.ts";
import { givenUpAheadSince } from "#webhooks/calls/health.ts";
import { PAUSE_MAX_MS } from "#webhooks/calls/retry.ts";
import { GIVEN_UP_REASON } from "#webhooks/calls/verdict.ts";
import type { OutboxStore } from "#webhooks/store.ts";
import { settling } from "./outbox-settling.ts";

/** Webhooks that have messages due at `$1` and may be called. */
const WITH_DUE = `webhooks AS w CROSS JOIN LATERAL (
    SELECT next_attempt_at AS due_at FROM webhook_deliveries WHERE webhook = w.seq AND next_attempt_at IS NOT NULL
    ORDER BY next_attempt_at LIMIT 1) AS head
  WHERE w.state = 'ENABLED' AND w.resume_at <= $1 AND head.due_at <= $1`;
const FREE = `SELECT w.seq FROM ${WITH_DUE} AND w.node IS NULL`;
const TAKE = `UPDATE webhooks SET node = $2 WHERE seq = ANY(ARRAY(
    SELECT seq FROM webhooks WHERE seq = ANY($1::int8[]) AND node IS NULL ORDER BY seq FOR NO KEY UPDATE SKIP LOCKED))
  AND ${isAlive("$2")}`;
const ENDPOINTS = `SELECT w.seq AS number, (SELECT id FROM workspaces WHERE seq = w.workspace) AS workspace_id, w.url,
    w.secret, w.old_secret, w.old_secret_until, w.failures, w.failing_since, w.resume_at, head.due_at
  FROM ${WITH_DUE} AND w.node = $2 ORDER BY w.seq`;
const DUE = `SELECT seq, nonce, type, data, created_at FROM webhook_deliveries
  WHERE webhook = $1 AND next_attempt_at <= $2 ORDER BY next_attempt_at, seq LIMIT $3`;

const FAR_ENDPOINT = "resume_at > $1 OR failing_since > $1";
const RESTING = `SELECT seq FROM webhooks WHERE ${FAR_ENDPOINT} LIMIT 1`;
/** `least` would take the moment for those that have none. */
const RESUME = `UPDATE webhooks SET resume_at = CASE WHEN resume_at > $1 THEN 0 ELSE resume_at END,
    failing_since = CASE WHEN failing_since > $2 THEN $2 ELSE failing_since END
  WHERE seq = ANY(ARRAY(SELECT seq FROM webhooks WHERE ${FAR_ENDPOINT} ORDER BY seq FOR NO KEY UPDATE))`;
const GIVEN_UP_AHEAD = "state = 'DISABLED' AND disabled_reason = $1 AND failing_since > $2";
const GIVEN_UP = `SELECT seq FROM webhooks WHERE ${GIVEN_UP_AHEAD} LIMIT 1`;
const ENABLE = `UPDATE webhooks SET state = 'ENABLED', disabled_reason = NULL, resume_at = 0
  WHERE seq = ANY(ARRAY(SELECT seq FROM webhooks WHERE ${GIVEN_UP_AHEAD} ORDER BY seq FOR NO KEY UPDATE)) RETURNING seq`;
const OWE_AGAIN = `UPDATE webhook_deliveries SET state = 'PENDING', next_attempt_at = $3,
    first_tried_at = least(first_tried_at, $3)
  WHERE seq = ANY(ARRAY(SELECT seq FROM webhook_deliveries WHERE webhook = ANY($1::int8[]) AND state = 'FAILED'
    AND first_tried_at > $2 ORDER BY seq FOR NO KEY UPDATE))`;
/** By webhook, because the index is by webhook and time. */
const PUT_OFF = `SELECT d.seq FROM webhooks AS w
  JOIN webhook_deliveries AS d ON d.webhook = w.seq AND d.next_attempt_at > $1 LIMIT $2`;
const DRAW_IN = `UPDATE webhook_deliveries SET next_attempt_at = $2,
    first_tried_at = CASE WHEN first_tried_at > $2 THEN $2 ELSE first_tried_at END
  WHERE next_attempt_at > $1 AND seq = ANY(ARRAY(
    SELECT seq FROM webhook_deliveries WHERE seq = ANY($3::int8[]) ORDER BY seq FOR NO KEY UPDATE))`;
const DRAWN_IN_AT_ONCE = 1_000;

/** The oldest rows are first, whatever their times say. */
const OLD = `SELECT seq FROM (
    SELECT seq, created_at, webhook, next_attempt_at FROM webhook_deliveries ORDER BY seq LIMIT $2) AS oldest
  WHERE (created_at < $1 OR seq < (${oldBeforeSql(DELIVERIES_MADE, "$1", "$3")})) AND NOT (next_attempt_at IS NOT NULL
    AND EXISTS (SELECT FROM webhooks WHERE seq = oldest.webhook AND state = 'ENABLED'))`;
const DELETED = "SELECT seq FROM webhooks WHERE state = 'DELETED' ORDER BY seq LIMIT 1";
/** Skips what another transaction is removing. */
const remove = (which: string): string => `DELETE FROM webhook_deliveries WHERE seq = ANY(ARRAY(
    SELECT seq FROM webhook_deliveries WHERE seq IN (${which}) FOR UPDATE SKIP LOCKED))`;
const REMOVE_OLD = remove(OLD);
const REMOVE_SOME = remove("SELECT seq FROM webhook_deliveries WHERE webhook = $1 LIMIT $2");

/** A webhook belongs to the node that first finds a message due. Only that node delivers to it, until the node ends. */
export function outboxStore(database: PostgresDatabase, own: OwnNode): OutboxStore {
  const { read, write } = database;
  return {
    onOwed: (listener) => database.onWritten("webhook messages", listener),
    settle: settling(database),
    clear: clearing(database),
    drawIn: drawingIn(database),

    async dueEndpoints(now) {
      const node = present(own.number, "node that has joined");
      const free = await read(({ rows }) => rows<Row<typeof webhooks, "seq">>(FREE, [now]));
      if (free.length > 0) await write((tx) => tx.run(TAKE, [free.map(({ seq }) => seq), node]));
      const mine = await read(({ rows }) => rows<EndpointRow>(ENDPOINTS, [now, node]));
      return mine.map((row) => endpointOf(row, now));
    },

    async due(endpoint, now, limit, except) {
      // As it is now: what ends before the answer is here may stand in it as due.
      const skipped = new Set(except);
      const rows = await read(({ rows: all }) => all<DueRow>(DUE, [endpoint, now, limit + skipped.size]));
      return rows
        .filter(({ seq }) => !skipped.has(seq))
        .slice(0, limit)
        .map(dueDelivery);
    },
  };
}

function drawingIn({ read, write }: PostgresDatabase): OutboxStore["drawIn"] {
  return async (now) => {
    const far = now + PAUSE_MAX_MS;
    const since = givenUpAheadSince(now);
    const ahead = [GIVEN_UP_REASON, since];
    if ((await read(({ row }) => row(GIVEN_UP, ahead))) !== null)
      await write(async (tx) => {
        const enabled = await tx.rows<Row<typeof webhooks, "seq">>(ENABLE, ahead);
        await tx.run(OWE_AGAIN, [enabled.map(({ seq }) => seq), since, now]);
      });
    if ((await read(({ row }) => row(RESTING, [far]))) !== null)
      await write((tx) => tx.run(RESUME, [far, now]));
    for (;;) {
      const putOff = await read(({ rows }) =>
        rows<Row<typeof webhookDeliveries, "seq">>(PUT_OFF, [far, DRAWN_IN_AT_ONCE]),
      );
      if (putOff.length === 0) return;
      await write((tx) => tx.run(DRAW_IN, [far, now, putOff.map(({ seq }) => seq)]));
    }
  };
}

function clearing({ read, write }: PostgresDatabase): OutboxStore["clear"] {
  return async (before, rowsMax) => {
    const oldest = [before, rowsMax, aheadWhenOld(before)] as const;
    const [old, deleted] = await read(({ row }) =>
      Promise.all([row(`${OLD} LIMIT 1`, oldest), row(DELETED)]),
    );
    if (old === null && deleted === null) return false;
    return await write(async (tx) => {
      if ((await tx.run(REMOVE_OLD, oldest)) > 0) return true;
      const gone = await tx.row<Row<typeof webhooks, "seq">>(`${DELETED} FOR UPDATE SKIP LOCKED`);
      if (gone === null) return false;
      if ((await tx.run(REMOVE_SOME, [gone.seq, rowsMax])) > 0) return true;
      await tx.run("DELETE FROM webhook_counts WHERE webhook = $1", [gone.seq]);
      await tx.run("DELETE FROM webhooks WHERE seq = $1", [gone.seq]);
      return true;
    });
  };
}
